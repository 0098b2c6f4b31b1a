// Small structures of integers as messages. A list of the members and their fields drives both reading and writing.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/proto/message.h"

namespace assay::proto {

// A member of a structure, an integer, a bool or a list of integers, and its field.
template <class Struct>
struct Member {
  Member(const Field& f, std::int64_t Struct::*m) : field(&f), integer(m) {}
  Member(const Field& f, bool Struct::*m) : field(&f), flag(m) {}
  Member(const Field& f, std::vector<std::int64_t> Struct::*m) : field(&f), list(m) {}

  const Field* field;
  std::int64_t Struct::*integer = nullptr;
  bool Struct::*flag = nullptr;
  std::vector<std::int64_t> Struct::*list = nullptr;
};

template <class Struct>
Struct ReadMembers(const Message& message, const std::vector<Member<Struct>>& members) {
  Struct value;
  for (const Member<Struct>& member : members) {
    if (member.integer != nullptr) value.*member.integer = message.Integer(*member.field);
    if (member.flag != nullptr) value.*member.flag = message.Bool(*member.field);
    if (member.list != nullptr) value.*member.list = message.Integers(*member.field);
  }
  return value;
}

template <class Struct>
MessageWriter WriteMembers(const Struct& value, const std::vector<Member<Struct>>& members) {
  MessageWriter message;
  for (const Member<Struct>& member : members) {
    if (member.integer != nullptr) message.Integer(*member.field, value.*member.integer);
    if (member.flag != nullptr) message.Integer(*member.field, value.*member.flag ? 1 : 0);
    if (member.list != nullptr) message.Integers(*member.field, value.*member.list);
  }
  return message;
}

// Returns the messages of a repeated field as structures.
template <class List, class Struct>
List ReadList(const Message& message, const Field& field, const std::vector<Member<Struct>>& members) {
  List list;
  for (const std::string_view bytes : message.Texts(field)) list.push_back(ReadMembers(Message(bytes), members));
  return list;
}

template <class List, class Struct>
void WriteList(const List& list, const Field& field, const std::vector<Member<Struct>>& members,
               MessageWriter& message) {
  for (const Struct& value : list) message.Sub(field, WriteMembers(value, members));
}

}  // namespace assay::proto
