// A backend for assay: modules that are a single add or multiply of f32 vectors. docs/adding_a_backend.md explains it.
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>

using nlohmann::json;

std::vector<float> Decode(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::string Encode(const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  std::string hex;
  for (std::size_t i = 0; i < values.size() * sizeof(float); ++i) {
    for (int digit : {bytes[i] / 16, bytes[i] % 16}) hex += "0123456789abcdef"[digit];
  }
  return hex;
}

json Run(const json& request) {
  static const std::regex instruction(R"(= f32\[\d+\]\S* ([\w-]+)\()");
  const auto hlo = request["hlo"].get<std::string>();
  std::vector<std::string> ops;
  for (std::sregex_iterator it(hlo.begin(), hlo.end(), instruction), end; it != end; ++it) {
    if ((*it)[1] != "parameter") ops.push_back((*it)[1]);
  }
  const json& inputs = request["inputs"].at(0);
  if (ops.size() != 1 || inputs.size() != 2) {
    return {{"status", "unsupported"}, {"message", "one add or multiply of f32 vectors is all I do"}};
  }
  std::vector<float> a = Decode(inputs[0].at("data_hex")), b = Decode(inputs[1].at("data_hex"));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = ops[0] == "add" ? a[i] + b[i] : a[i] * b[i];
  const json output = {{"shape", inputs[0]["shape"]}, {"data_hex", Encode(a)}};
  return {{"status", "ok"}, {"outputs", json::array({output})}};
}

int main() {
  const json hello = {
      {"hello", 1}, {"name", "tiny"}, {"version", "1"}, {"ops", {"add", "multiply"}}, {"types", {"f32"}}};
  for (std::string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    if (message.contains("bye")) break;
    json reply = hello;
    if (!message.contains("hello")) {
      try {
        reply = Run(message);
      } catch (const std::exception& error) {
        reply = {{"status", "error"}, {"message", error.what()}};
      }
    }
    if (message.contains("id")) reply["id"] = message["id"];
    std::cout << reply.dump() << std::endl;
  }
}
