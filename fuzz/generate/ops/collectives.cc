// Collective ops.
#include <algorithm>
#include <utility>

#include "fuzz/generate/ops/computations.h"
#include "fuzz/generate/ops/drawings.h"
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
Meeting DrawMeeting(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  Meeting meeting;
  const bool has_channel = random.Flip();
  const bool can_be_global = StartOf(drawer.op()).FindAttributeOfText("use_global_device_ids") != nullptr;
  const bool is_global = has_channel && can_be_global && random.Flip();
  meeting.attributes.push_back(DrawChannel(random, has_channel));
  meeting.attributes.emplace_back("use_global_device_ids", is_global ? AttributeValue(true) : AttributeValue());
  meeting.is_by_partition = has_channel && !can_be_global;
  const std::int64_t count = meeting.is_by_partition ? drawer.num_partitions()
                             : is_global             ? drawer.device_count()
                                                     : drawer.replica_count();
  meeting.groups = {AllDimensions(count)};
  if (is_global || random.Flip()) {
    meeting.groups = Groups(random, count);
    meeting.attributes.emplace_back("replica_groups", ReplicaGroups{meeting.groups, ""});
  }
  meeting.size = static_cast<std::int64_t>(meeting.groups[0].size());
  if (has_channel && can_be_global && !is_global) meeting.size *= drawer.num_partitions();
  return meeting;
}

// Returns the position of a device in its group, for groups of replicas or of partitions.
std::int64_t RankOf(const InstructionDrawer& drawer, const Meeting& meeting, std::int64_t device) {
  const std::int64_t partitions = drawer.num_partitions();
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

std::vector<Shape> OneOrTwoShapes(InstructionDrawer& drawer, PrimitiveType type) {
  std::vector<Shape> shapes = {drawer.ArrayShape(TypesOf(type))};
  if (drawer.random().OneIn(4)) shapes.push_back(drawer.ArrayShape(TypesOf(type)));
  return shapes;
}

std::vector<XlaOp> Values(InstructionDrawer& drawer, const std::vector<Shape>& shapes) {
  std::vector<XlaOp> values;
  for (const Shape& shape : shapes) values.push_back(drawer.Value(shape));
  return values;
}

struct Collective {
  std::vector<XlaOp> operands;
  std::vector<OpAttribute> attributes;
  std::vector<Shape> operand_shapes;
  std::vector<Shape> results;
};

XlaOp Add(InstructionDrawer& drawer, Collective collective) {
  return drawer.Add({collective.operands, std::move(collective.attributes), OneOrTuple(collective.results)});
}

// Adds a start whose result has the given shape, and its done.
XlaOp AddWithDone(InstructionDrawer& drawer, Collective collective, const Shape& shape) {
  const Op& start = StartOf(drawer.op());
  const XlaOp started = drawer.Add(start, {collective.operands, std::move(collective.attributes), shape});
  return AddInstruction(start.legality.done, {started});
}

// Adds a start whose result is (operands, results), and its done.
XlaOp AddPairWithDone(InstructionDrawer& drawer, Collective collective) {
  const Shape pair = ShapeUtil::MakeTupleShape({OneOrTuple(collective.operand_shapes), OneOrTuple(collective.results)});
  return AddWithDone(drawer, std::move(collective), pair);
}

Collective AllGatherOf(InstructionDrawer& drawer) {
  Collective gather;
  const Meeting meeting = DrawMeeting(drawer);
  const Shape first = drawer.ArrayShape(TypesThat(IsArrayType), 1);
  const std::int64_t dimension = drawer.random().Below(first.rank());
  gather.operand_shapes = {first};
  if (drawer.random().OneIn(4)) gather.operand_shapes.push_back(first);
  for (const Shape& shape : gather.operand_shapes) {
    gather.results.push_back(shape);
    gather.results.back().set_dimensions(dimension, shape.dimensions(dimension) * meeting.size);
  }
  gather.operands = Values(drawer, gather.operand_shapes);
  gather.attributes = {{"dimensions", Int64List{dimension}}};
  AppendTo(gather.attributes, meeting.attributes);
  return gather;
}

Collective AllReduceOf(InstructionDrawer& drawer) {
  Collective reduce;
  const PrimitiveType type = drawer.Type(TypesThat(IsArrayType));
  reduce.operand_shapes = reduce.results = OneOrTwoShapes(drawer, type);
  reduce.operands = Values(drawer, reduce.results);
  reduce.attributes = {{"to_apply", DrawFold(drawer, {type})}};
  AppendTo(reduce.attributes, DrawMeeting(drawer).attributes);
  return reduce;
}

// Draws the start indices of slices with these sizes.
XlaOp StartsOf(InstructionDrawer& drawer, const Shape& buffer, const std::vector<Int64List>& slices) {
  std::vector<XlaOp> starts;
  for (const Int64List& sizes : slices) {
    std::vector<XlaOp> indices;
    for (std::int64_t d = 0; d < buffer.rank(); ++d) {
      const Shape scalar = ShapeUtil::MakeScalarShape(S32);
      indices.push_back(drawer.Value(DrawIntegers(drawer.random(), scalar, 0, buffer.dimensions(d) - sizes[d])));
    }
    starts.push_back(Tuple(drawer.builder(), indices));
  }
  return starts.size() == 1 ? starts[0] : Tuple(drawer.builder(), starts);
}

// Draws a permute of slices of one or two buffers. Operands: input, output, and start indices in both.
void PermuteInPlace(InstructionDrawer& drawer, Collective& permute, std::size_t slices) {
  Random& random = drawer.random();
  std::vector<Int64List> sizes;
  std::vector<std::vector<XlaOp>> parts(4);
  permute.results = OneOrTwoShapes(drawer, drawer.Type(TypesThat(IsArrayType)));
  for (const Shape& shape : permute.results) {
    std::vector<Int64List> of_buffer(slices);
    for (Int64List& slice : of_buffer) {
      for (const std::int64_t size : shape.dimensions()) slice.push_back(random.Between(0, size));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      parts[i].push_back(i < 2 ? drawer.Value(shape) : StartsOf(drawer, shape, of_buffer));
    }
    sizes.insert(sizes.end(), of_buffer.begin(), of_buffer.end());
  }
  for (std::vector<XlaOp>& part : parts) {
    permute.operands.push_back(part.size() == 1 ? part[0] : Tuple(drawer.builder(), part));
  }
  permute.operand_shapes = permute.results;
  permute.attributes.emplace_back("slice_sizes", std::move(sizes));
}

// Draws has_dynamic_root, and its operand: roots that every group has.
void DrawRoots(InstructionDrawer& drawer, Collective& collective) {
  const bool has_root = drawer.random().Flip();
  if (has_root) {
    const auto count = static_cast<std::int64_t>(collective.operands.size());
    const Shape roots = ShapeUtil::MakeShape(S32, {count});
    collective.operands.push_back(drawer.Value(DrawIntegers(drawer.random(), roots, 0, 0)));
  }
  collective.attributes.emplace_back("has_dynamic_root", has_root ? AttributeValue(true) : AttributeValue());
}

// Draws pairs in which each device is a source at most once and a target at most once; in place, once for each slice.
Collective PermuteOf(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  Collective permute;
  const bool has_channel = random.Flip(), is_in_place = random.OneIn(4);
  const std::int64_t count = has_channel ? drawer.num_partitions() : drawer.replica_count();
  const std::int64_t slices = is_in_place ? random.Between(1, 2) : 1;
  std::vector<Int64List> pairs;
  Int64List sources = random.Permutation(count), targets = random.Permutation(count);
  sources.resize(static_cast<std::size_t>(random.Between(0, count)));
  targets.resize(sources.size());
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    for (std::size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i]});
    random.Shuffle(targets);
  }
  permute.attributes = {{"source_target_pairs", std::move(pairs)}};
  permute.attributes.push_back(DrawChannel(random, has_channel));
  if (is_in_place) {
    PermuteInPlace(drawer, permute, static_cast<std::size_t>(slices));
  } else {
    permute.results = OneOrTwoShapes(drawer, drawer.Type(TypesThat(IsArrayType)));
    permute.operands = Values(drawer, permute.results);
    permute.operand_shapes = permute.results;
  }
  return permute;
}

}  // namespace

XlaOp DrawDeviceId(InstructionDrawer& drawer) { return AddInstruction(drawer.builder(), drawer.op().name, {}); }

XlaOp DrawAllGather(InstructionDrawer& drawer) { return Add(drawer, AllGatherOf(drawer)); }

XlaOp DrawAllGatherPair(InstructionDrawer& drawer) { return AddPairWithDone(drawer, AllGatherOf(drawer)); }

XlaOp DrawAllReduce(InstructionDrawer& drawer) { return Add(drawer, AllReduceOf(drawer)); }

XlaOp DrawAllReducePair(InstructionDrawer& drawer) {
  Collective reduce = AllReduceOf(drawer);
  const Shape results = OneOrTuple(reduce.results);
  return AddWithDone(drawer, std::move(reduce), results);
}

XlaOp DrawCollectiveReduce(InstructionDrawer& drawer) {
  Collective reduce = AllReduceOf(drawer);
  DrawRoots(drawer, reduce);
  return Add(drawer, std::move(reduce));
}

// Draws operands with as many shards as a group has devices.
XlaOp DrawReduceScatter(InstructionDrawer& drawer) {
  const Meeting meeting = DrawMeeting(drawer);
  const PrimitiveType type = drawer.Type();
  const Shape shard = drawer.ArrayShape(TypesOf(type), 1);
  const std::int64_t dimension = drawer.random().Below(shard.rank());
  std::vector<Shape> shards(drawer.random().OneIn(4) ? 2 : 1, shard), wholes = shards;
  for (Shape& whole : wholes) whole.set_dimensions(dimension, shard.dimensions(dimension) * meeting.size);
  std::vector<OpAttribute> attributes = {{"dimensions", Int64List{dimension}}, {"to_apply", DrawFold(drawer, {type})}};
  AppendTo(attributes, meeting.attributes);
  return drawer.Add({Values(drawer, wholes), std::move(attributes), OneOrTuple(shards)});
}

// Draws one array that is split, or one operand for each device of a group.
XlaOp DrawAllToAll(InstructionDrawer& drawer) {
  Meeting meeting = DrawMeeting(drawer);
  Shape shape = drawer.ArrayShape(1);
  if (drawer.random().Flip()) {
    const std::int64_t dimension = drawer.random().Below(shape.rank());
    shape.set_dimensions(dimension, DrawSize(drawer.random(), 3) * meeting.size);
    meeting.attributes.emplace_back("dimensions", Int64List{dimension});
    return drawer.Add({{drawer.Value(shape)}, std::move(meeting.attributes), shape});
  }
  const std::vector<Shape> shapes(meeting.size, shape);
  meeting.attributes.emplace_back("dimensions", AttributeValue());
  return drawer.Add({Values(drawer, shapes), std::move(meeting.attributes), ShapeUtil::MakeTupleShape(shapes)});
}

XlaOp DrawCollectiveBroadcast(InstructionDrawer& drawer) {
  Collective broadcast;
  broadcast.results = OneOrTwoShapes(drawer, drawer.Type());
  broadcast.operands = Values(drawer, broadcast.results);
  broadcast.attributes = DrawMeeting(drawer).attributes;
  DrawRoots(drawer, broadcast);
  return Add(drawer, std::move(broadcast));
}

XlaOp DrawCollectivePermute(InstructionDrawer& drawer) { return Add(drawer, PermuteOf(drawer)); }

XlaOp DrawCollectivePermutePair(InstructionDrawer& drawer) { return AddPairWithDone(drawer, PermuteOf(drawer)); }

// Draws an exchange in which each device sends some rows to each other device, to disjoint places.
XlaOp DrawRaggedAllToAll(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const Meeting meeting = DrawMeeting(drawer);
  const Shape row = drawer.ArrayShape(0, 2);
  const std::int64_t rows = random.Between(1, 3);
  const auto array = [&](std::int64_t count) {
    Dimensions dimensions = row.dimensions();
    dimensions.insert(dimensions.begin(), count);
    return ShapeUtil::MakeShape(row.element_type(), dimensions);
  };
  const Shape offsets = ShapeUtil::MakeShape(random.OneOf({S32, S64}), {meeting.size});
  const auto all = [&](std::int64_t number) { return DrawIntegers(random, offsets, number, number); };
  std::vector<XlaOp> operands = {drawer.Value(array(rows)), drawer.Value(array(rows * meeting.size))};
  // All devices send their first rows, the same number, to the place of their own rank.
  const std::int64_t count = random.Between(0, rows);
  PerDevice<Literal> places;
  for (std::int64_t device = 0; device < drawer.device_count(); ++device) {
    places.push_back(all(count * RankOf(drawer, meeting, device)));
  }
  operands.insert(operands.end(), {drawer.Value(all(0)), drawer.Value(all(count))});
  operands.insert(operands.end(), {drawer.Value(std::move(places)), drawer.Value(all(count))});
  return drawer.Add({operands, meeting.attributes, array(rows * meeting.size)});
}

}  // namespace assay::generate
