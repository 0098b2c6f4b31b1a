// Collective ops.
#include <algorithm>
#include <utility>

#include "generate/ops/computations.h"
#include "generate/ops/drawings.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;
namespace {

// The devices that communicate.
struct Meeting {
  std::vector<OpAttribute> attributes;  // channel_id, use_global_device_ids, replica_groups
  std::int64_t size = 1;                // of each group
  bool is_by_partition = false;         // ids in the groups are partitions
  std::vector<Int64List> groups;
};

// Returns the op whose instruction has the attributes: the start of a drawn done.
const Op& StartOf(const Op& op) {
  for (const Op* start : AllOps()) {
    if (start->legality.done == op.name) return *start;
  }
  return op;
}

// Draws groups of ids, all of one size.
std::vector<Int64List> Groups(Random& random, std::int64_t count) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1; n <= count; ++n) {
    if (count % n == 0) sizes.push_back(n);
  }
  const std::int64_t size = random.OneOf(sizes);
  const Int64List ids = random.Flip() ? AllDimensions(count) : random.Permutation(count);
  std::vector<Int64List> groups;
  for (std::int64_t i = 0; i < count; i += size) groups.emplace_back(ids.begin() + i, ids.begin() + i + size);
  return groups;
}

OpAttribute DrawChannel(Random& random, bool is_given) {
  return {"channel_id", is_given ? AttributeValue(random.Between(1, random.Flip() ? 2 : 1 << 20)) : AttributeValue()};
}

// Draws the mode of the groups. Without a channel they are of replicas. With a channel they are of partitions, or, if
// the op has use_global_device_ids, of replicas with all of their partitions, or of devices.
Meeting DrawMeeting(Draft& draft) {
  Random& random = draft.random();
  Meeting meeting;
  const bool has_channel = random.Flip();
  const bool can_be_global = StartOf(draft.op()).FindAttributeOfText("use_global_device_ids") != nullptr;
  const bool is_global = has_channel && can_be_global && random.Flip();
  meeting.attributes.push_back(DrawChannel(random, has_channel));
  meeting.attributes.emplace_back("use_global_device_ids", is_global ? AttributeValue(true) : AttributeValue());
  meeting.is_by_partition = has_channel && !can_be_global;
  const std::int64_t count = meeting.is_by_partition ? draft.num_partitions()
                             : is_global             ? draft.device_count()
                                                     : draft.replica_count();
  meeting.groups = {AllDimensions(count)};
  if (is_global || random.Flip()) {
    meeting.groups = Groups(random, count);
    meeting.attributes.emplace_back("replica_groups", ReplicaGroups{meeting.groups, ""});
  }
  meeting.size = static_cast<std::int64_t>(meeting.groups[0].size());
  if (has_channel && can_be_global && !is_global) meeting.size *= draft.num_partitions();
  return meeting;
}

// Returns the position of a device in its group, for groups of replicas or of partitions.
std::int64_t RankOf(const Draft& draft, const Meeting& meeting, std::int64_t device) {
  const std::int64_t partitions = draft.num_partitions();
  const std::int64_t id = meeting.is_by_partition ? device % partitions : device / partitions;
  for (const Int64List& group : meeting.groups) {
    const auto found = std::ranges::find(group, id);
    if (found != group.end()) return found - group.begin();
  }
  return 0;
}

void AppendTo(std::vector<OpAttribute>& attributes, std::vector<OpAttribute> more) {
  for (OpAttribute& attribute : more) attributes.push_back(std::move(attribute));
}

Shape OneOrTuple(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(std::move(shapes));
}

std::vector<Shape> OneOrTwoShapes(Draft& draft, PrimitiveType type) {
  std::vector<Shape> shapes = {draft.ArrayShape(TypesOf(type))};
  if (draft.random().OneIn(4)) shapes.push_back(draft.ArrayShape(TypesOf(type)));
  return shapes;
}

std::vector<XlaOp> Values(Draft& draft, const std::vector<Shape>& shapes) {
  std::vector<XlaOp> values;
  for (const Shape& shape : shapes) values.push_back(draft.Value(shape));
  return values;
}

struct Collective {
  std::vector<XlaOp> operands;
  std::vector<OpAttribute> attributes;
  std::vector<Shape> operand_shapes;
  std::vector<Shape> results;
};

XlaOp Add(Draft& draft, Collective collective) {
  return draft.Add({collective.operands, std::move(collective.attributes), OneOrTuple(collective.results)});
}

// Adds a start whose result has the given shape, and its done.
XlaOp AddWithDone(Draft& draft, Collective collective, const Shape& shape) {
  const Op& start = StartOf(draft.op());
  const XlaOp started = draft.Add(start, {collective.operands, std::move(collective.attributes), shape});
  return AddInstruction(start.legality.done, {started});
}

// Adds a start whose result is (operands, results), and its done.
XlaOp AddPairWithDone(Draft& draft, Collective collective) {
  const Shape pair = ShapeUtil::MakeTupleShape({OneOrTuple(collective.operand_shapes), OneOrTuple(collective.results)});
  return AddWithDone(draft, std::move(collective), pair);
}

Collective AllGatherOf(Draft& draft) {
  Collective gather;
  const Meeting meeting = DrawMeeting(draft);
  const Shape first = draft.ArrayShape(TypesThat(IsArrayType), 1);
  const std::int64_t dimension = draft.random().Below(first.rank());
  gather.operand_shapes = {first};
  if (draft.random().OneIn(4)) gather.operand_shapes.push_back(first);
  for (const Shape& shape : gather.operand_shapes) {
    gather.results.push_back(shape);
    gather.results.back().set_dimensions(dimension, shape.dimensions(dimension) * meeting.size);
  }
  gather.operands = Values(draft, gather.operand_shapes);
  gather.attributes = {{"dimensions", Int64List{dimension}}};
  AppendTo(gather.attributes, meeting.attributes);
  return gather;
}

Collective AllReduceOf(Draft& draft) {
  Collective reduce;
  const PrimitiveType type = draft.Type(TypesThat(IsArrayType));
  reduce.operand_shapes = reduce.results = OneOrTwoShapes(draft, type);
  reduce.operands = Values(draft, reduce.results);
  reduce.attributes = {{"to_apply", DrawFold(draft, {type})}};
  AppendTo(reduce.attributes, DrawMeeting(draft).attributes);
  return reduce;
}

// Draws a permute of a slice of the input to a place of the output. Operands: input, output, and offsets into both.
void PermuteInPlace(Draft& draft, Collective& permute) {
  Random& random = draft.random();
  const Shape shape = draft.ArrayShape(TypesThat(IsArrayType));
  Int64List sizes;
  for (const std::int64_t size : shape.dimensions()) sizes.push_back(random.Between(0, size));
  permute.results = {shape};
  permute.operand_shapes = {shape, shape};
  permute.operands = Values(draft, permute.operand_shapes);
  for (int i = 0; i < 2; ++i) {
    std::vector<XlaOp> offsets;
    for (std::int64_t d = 0; d < shape.rank(); ++d) {
      const Shape scalar = ShapeUtil::MakeScalarShape(S32);
      offsets.push_back(draft.Value(DrawIntegers(random, scalar, 0, shape.dimensions(d) - sizes[d])));
    }
    permute.operands.push_back(Tuple(draft.builder(), offsets));
    permute.operand_shapes.push_back(*FindShape(permute.operands.back()));
  }
  permute.attributes.emplace_back("slice_sizes", std::vector<Int64List>{sizes});
}

// Draws pairs in which each device is a source at most once and a target at most once.
Collective PermuteOf(Draft& draft) {
  Random& random = draft.random();
  Collective permute;
  const bool has_channel = random.Flip();
  const std::int64_t count = has_channel ? draft.num_partitions() : draft.replica_count();
  const Int64List sources = random.Permutation(count), targets = random.Permutation(count);
  std::vector<Int64List> pairs;
  for (std::int64_t i = random.Between(0, count); i > 0; --i) pairs.push_back({sources[i - 1], targets[i - 1]});
  permute.attributes = {{"source_target_pairs", std::move(pairs)}};
  permute.attributes.push_back(DrawChannel(random, has_channel));
  if (random.OneIn(4)) {
    PermuteInPlace(draft, permute);
  } else {
    permute.results = OneOrTwoShapes(draft, draft.Type(TypesThat(IsArrayType)));
    permute.operands = Values(draft, permute.results);
    permute.operand_shapes = permute.results;
  }
  return permute;
}

}  // namespace

XlaOp DrawDeviceId(Draft& draft) { return AddInstruction(draft.builder(), draft.op().name, {}); }

XlaOp DrawAllGather(Draft& draft) { return Add(draft, AllGatherOf(draft)); }

XlaOp DrawAllGatherPair(Draft& draft) { return AddPairWithDone(draft, AllGatherOf(draft)); }

XlaOp DrawAllReduce(Draft& draft) { return Add(draft, AllReduceOf(draft)); }

XlaOp DrawAllReducePair(Draft& draft) {
  Collective reduce = AllReduceOf(draft);
  const Shape results = OneOrTuple(reduce.results);
  return AddWithDone(draft, std::move(reduce), results);
}

XlaOp DrawCollectiveReduce(Draft& draft) {
  Collective reduce = AllReduceOf(draft);
  const bool has_root = draft.random().Flip();
  if (has_root) {
    const auto count = static_cast<std::int64_t>(reduce.operands.size());
    const Shape roots = ShapeUtil::MakeShape(S32, {count});
    reduce.operands.push_back(draft.Value(DrawIntegers(draft.random(), roots, 0, 0)));
  }
  reduce.attributes.emplace_back("has_dynamic_root", has_root ? AttributeValue(true) : AttributeValue());
  return Add(draft, std::move(reduce));
}

// Draws operands with as many shards as a group has devices.
XlaOp DrawReduceScatter(Draft& draft) {
  const Meeting meeting = DrawMeeting(draft);
  const PrimitiveType type = draft.Type();
  const Shape shard = draft.ArrayShape(TypesOf(type), 1);
  const std::int64_t dimension = draft.random().Below(shard.rank());
  std::vector<Shape> shards(draft.random().OneIn(4) ? 2 : 1, shard), wholes = shards;
  for (Shape& whole : wholes) whole.set_dimensions(dimension, shard.dimensions(dimension) * meeting.size);
  std::vector<OpAttribute> attributes = {{"dimensions", Int64List{dimension}}, {"to_apply", DrawFold(draft, {type})}};
  AppendTo(attributes, meeting.attributes);
  return draft.Add({Values(draft, wholes), std::move(attributes), OneOrTuple(shards)});
}

// Draws one array that is split, or one operand for each device of a group.
XlaOp DrawAllToAll(Draft& draft) {
  Meeting meeting = DrawMeeting(draft);
  Shape shape = draft.ArrayShape(1);
  if (draft.random().Flip()) {
    const std::int64_t dimension = draft.random().Below(shape.rank());
    shape.set_dimensions(dimension, DrawSize(draft.random(), 3) * meeting.size);
    meeting.attributes.emplace_back("dimensions", Int64List{dimension});
    return draft.Add({{draft.Value(shape)}, std::move(meeting.attributes), shape});
  }
  const std::vector<Shape> shapes(meeting.size, shape);
  meeting.attributes.emplace_back("dimensions", AttributeValue());
  return draft.Add({Values(draft, shapes), std::move(meeting.attributes), ShapeUtil::MakeTupleShape(shapes)});
}

XlaOp DrawCollectiveBroadcast(Draft& draft) {
  const std::vector<Shape> shapes = OneOrTwoShapes(draft, draft.Type());
  std::vector<OpAttribute> attributes = DrawMeeting(draft).attributes;
  return draft.Add({Values(draft, shapes), std::move(attributes), OneOrTuple(shapes)});
}

XlaOp DrawCollectivePermute(Draft& draft) { return Add(draft, PermuteOf(draft)); }

XlaOp DrawCollectivePermutePair(Draft& draft) { return AddPairWithDone(draft, PermuteOf(draft)); }

// Draws an exchange in which each device sends some rows to each other device, to disjoint places.
XlaOp DrawRaggedAllToAll(Draft& draft) {
  Random& random = draft.random();
  const Meeting meeting = DrawMeeting(draft);
  const Shape row = draft.ArrayShape(0, 2);
  const std::int64_t rows = random.Between(1, 3);
  const auto array = [&](std::int64_t count) {
    Dimensions dimensions = row.dimensions();
    dimensions.insert(dimensions.begin(), count);
    return ShapeUtil::MakeShape(row.element_type(), dimensions);
  };
  const Shape offsets = ShapeUtil::MakeShape(random.OneOf({S32, S64}), {meeting.size});
  const auto all = [&](std::int64_t number) { return DrawIntegers(random, offsets, number, number); };
  std::vector<XlaOp> operands = {draft.Value(array(rows)), draft.Value(array(rows * meeting.size))};
  // All devices send their first rows, the same number, to the place of their own rank.
  const std::int64_t count = random.Between(0, rows);
  PerDevice<Literal> places;
  for (std::int64_t device = 0; device < draft.device_count(); ++device) {
    places.push_back(all(count * RankOf(draft, meeting, device)));
  }
  operands.insert(operands.end(), {draft.Value(all(0)), draft.Value(all(count))});
  operands.insert(operands.end(), {draft.Value(std::move(places)), draft.Value(all(count))});
  return draft.Add({operands, meeting.attributes, array(rows * meeting.size)});
}

}  // namespace assay::generate
