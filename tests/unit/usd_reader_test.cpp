#include "muslin/io/usd_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mesh_folder.h"
#include "muslin/core/check.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

using Triangles = std::vector<Stencil<3>>;
using Sentences = std::vector<std::string>;

Mesh usd(const std::string& text) { return parse_usd(text, "a.usda"); }

std::string refusal(const std::string& text) {
  try {
    usd(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "no error";
}

const std::string kMetres = "#usda 1.0\n( metersPerUnit = 1\n  upAxis = \"Y\" )\n";
const std::string kSquare = R"(
  int[] faceVertexCounts = [4]
  int[] faceVertexIndices = [0, 1, 2, 3]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
)";
std::string mesh_prim(const std::string& more = "", const std::string& name = "sheet") {
  return "def Mesh \"" + name + "\"\n{" + kSquare + more + "\n}\n";
}

TEST(UsdReader, ReadsPolygons) {
  const Mesh mesh = usd(kMetres + mesh_prim());
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.positions.col(2), Vec3(1, 1, 0));
  EXPECT_EQ(mesh.polygons->count(), 1);
  EXPECT_EQ(mesh.polygons->objects, Sentences{"sheet"});
  EXPECT_TRUE(mesh.repairs.empty());
}

TEST(UsdReader, TakesTheTextAsUsdHasIt) {
  const Mesh mesh = usd(R"usd(#usda 1.0
(
    """A comment (with brackets])"""
    customLayerData = { string a = "}" ; dictionary b = { int c = 3 } }
    metersPerUnit = 1
)
# a comment
/* and another, def Mesh "no" { */
class "_class_hidden" { def Mesh "no" { point3f[] points = [(9, 9, 9)] } }
over "also hidden" { }
def Mesh "sheet" (
    prepend apiSchemas = ["MaterialBindingAPI"]
    kind = 'component'
    delete references = @other.usda@
)
{
    custom uniform bool doubleSided = 1; uniform token subdivisionScheme = "none"
    float3[] extent = [(0, 0, 0), (1, 1, 0)]
    rel proxyPrim
    asset inputs:file = @@@./a@b.png@@@ (colorSpace = "sRGB")
    color3f inputs:diffuse.connect = </material/tex.outputs:rgb>
    reorder properties = ["points"]
    int[] faceVertexCounts = [3,]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1e0, 0, 0), (-0, +1., 0)] ( doc = "a" )
}
)usd");
  EXPECT_EQ(mesh.vertex_count(), 3);
  EXPECT_EQ(mesh.positions.col(2), Vec3(0, 1, 0));
}

// --- units, axes, places ---------------------------------------------------------------------------

TEST(UsdReader, LengthsBecomeMetresAndYGoesUp) {
  const Mesh mesh = usd("#usda 1.0\n(metersPerUnit = 0.5\nupAxis = \"Z\")\n" + mesh_prim());
  EXPECT_EQ(mesh.positions.col(2), Vec3(0.5, 0, -0.5)) << "x stays, y goes back, z up";
  const Mesh bare = usd("#usda 1.0\n" + mesh_prim());
  EXPECT_EQ(bare.positions.col(1), Vec3(0.01, 0, 0));
  EXPECT_EQ(bare.repairs, Sentences{"took lengths for centimetres, as USD does without metersPerUnit"});
}

TEST(UsdReader, OperationsActInTheirOrder) {
  // (1, 0, 0) is scaled to (2, 0, 0), turned about z to (0, 2, 0), about x to (0, 0, 2), then moved twice.
  const std::string steps = R"(
  double3 xformOp:translate = (1, 2, 3)
  float3 xformOp:rotateXYZ = (90, 0, 90)
  float3 xformOp:scale = (2, 1, 1)
  uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"])";
  const std::string outer = R"(def Xform "all" {
  double3 xformOp:translate:pivot = (10, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate:pivot"]
)";
  // rotateXYZ turns about x first: (2, 0, 0) stays, then about z it is (0, 2, 0).
  const Mesh mesh = usd(kMetres + outer + mesh_prim(steps) + "}");
  EXPECT_LT((mesh.positions.col(1) - Vec3(11, 4, 3)).norm(), 1e-15);
  // (0, 1, 0) about x is (0, 0, 1), and stays about z.
  EXPECT_LT((mesh.positions.col(3) - Vec3(11, 2, 4)).norm(), 1e-15);

  const std::string matrix = R"(
  matrix4d xformOp:transform = ( (0, 2, 0, 0), (0, 0, 1, 0), (1, 0, 0, 0), (1, 2, 3, 1) )
  uniform token[] xformOpOrder = ["xformOp:transform"])";
  const Mesh by_matrix = usd(kMetres + outer + mesh_prim(matrix) + "}");
  EXPECT_LT((by_matrix.positions - mesh.positions).norm(), 1e-14);

  const std::string quaternion = R"(
  quatf xformOp:orient = (0.7071067811865476, 0, 0, 0.7071067811865476)
  uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:orient"])";
  EXPECT_LT((usd(kMetres + outer + mesh_prim(quaternion) + "}").positions.col(1) - Vec3(0, 1, 0)).norm(),
            1e-15);

  const std::string there_and_back = R"(
  double3 xformOp:translate:pivot = (3, 4, 5)
  uniform token[] xformOpOrder = ["xformOp:translate:pivot", "!invert!xformOp:translate:pivot"])";
  EXPECT_LT((usd(kMetres + mesh_prim(there_and_back)).positions.col(2) - Vec3(1, 1, 0)).norm(), 1e-15);
}

TEST(UsdReader, LeftHandedAndMirroredFacesKeepTheirFront) {
  const auto front = [](const std::string& more) {
    const Mesh mesh = usd(kMetres + mesh_prim(more));
    return vertex_normals(mesh.positions, mesh.triangles)(2, 0);
  };
  const std::string mirror =
      "float3 xformOp:scale = (-1, 1, 1)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
  const std::string left = "uniform token orientation = \"leftHanded\"\n";
  EXPECT_EQ(front(""), 1);
  EXPECT_EQ(front(mirror), 1);
  EXPECT_EQ(front(left), -1);
  EXPECT_EQ(front(mirror + left), -1);
}

TEST(UsdReader, OfTimeSamplesTheFirstCounts) {
  const std::string moves = R"(
  double3 xformOp:translate.timeSamples = { 1: (0, 0, 7), 2: (0, 0, 8), }
  uniform token[] xformOpOrder = ["xformOp:translate"])";
  const Mesh mesh = usd(kMetres + mesh_prim(moves));
  EXPECT_EQ(mesh.positions.col(0), Vec3(0, 0, 7));
  EXPECT_EQ(mesh.repairs, Sentences{"took the first time sample of 1 attribute"});
}

// --- names -----------------------------------------------------------------------------------------

TEST(UsdReader, PrimsSubsetsAndMaterialsHaveNames) {
  const std::string two_faces = R"(def Mesh "panel" {
  int[] faceVertexCounts = [3, 3, 3]
  int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 0, 3, 4]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (-1, 0, 0)]
  rel material:binding = </looks/wool>
  def GeomSubset "waist" {
    uniform token elementType = "face"
    uniform token familyName = "pins"
    int[] indices = [0, 1]
  }
  def GeomSubset "hem" { int[] indices = [1] }
  def GeomSubset "red_faces" {
    uniform token familyName = "materialBind"
    int[] indices = [2]
    rel material:binding = </looks/red>
  }
})";
  const Mesh mesh = usd(kMetres + "def Xform \"coat\" {\n" + two_faces + mesh_prim("", "panel") + "}");
  const Polygons& polygons = *mesh.polygons;
  EXPECT_EQ(polygons.objects, (Sentences{"panel", "panel 2"}));
  EXPECT_EQ(names_of(polygons, kGroup), (Sentences{"coat", "waist", "hem"}));
  EXPECT_EQ(polygons_named(polygons, kGroup, "waist"), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(polygons_named(polygons, kGroup, "hem"), (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(polygons_named(polygons, kGroup, "coat"), (std::vector<bool>{true, true, true, true}));
  EXPECT_EQ(polygons_named(polygons, kMaterial, "wool"), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(polygons_named(polygons, kMaterial, "red"), (std::vector<bool>{false, false, true, false}));
}

TEST(UsdReader, TextureCoordinatesAreThoseOfVerticesOrCorners) {
  const std::string of_vertices = R"(
  texCoord2f[] primvars:st = [(0, 0), (2, 0), (2, 2), (0, 2)] ( interpolation = "vertex" ))";
  EXPECT_EQ(usd(kMetres + mesh_prim(of_vertices)).uv[2], Vec2(2, 2));
  const std::string of_corners = R"(
  texCoord2f[] primvars:UVMap = [(0, 0), (1, 1)] ( interpolation = "faceVarying" )
  int[] primvars:UVMap:indices = [0, 1, 0, 1])";
  EXPECT_EQ(usd(kMetres + mesh_prim(of_corners)).uv[3], Vec2(1, 1));
  EXPECT_EQ(usd(kMetres + mesh_prim(of_corners)).uv[2], Vec2(0, 0));
}

TEST(UsdReader, SaysWhatItLeavesOut) {
  const Mesh mesh = usd(kMetres + mesh_prim() + R"(def Sphere "ball" { double radius = 1 }
def Mesh "ghost" { token visibility = "invisible"
  point3f[] points = [(0, 0, 0)] }
def "off" ( active = false ) { def Cube "cube" {} }
)");
  EXPECT_EQ(mesh.repairs,
            (Sentences{"left out 1 Sphere", "left out 2 prims that are off, invisible, guides or proxies"}));
}

// --- in scenes ---

class UsdScene : public MeshFolder {
 protected:
  Scene with(const std::string& group, const std::string& object) {
    write("all.usda", kMetres + mesh_prim("def GeomSubset \"waist\" { int[] indices = [0] }", "apron") +
                          mesh_prim(kFarAway, "table"));
    const std::string mesh = R"("mesh": {"file": "all.usda", "object": ")";
    return scene(R"("shape": "mesh", )" + mesh + object + "\"}", R"(, "solver": {"family": "quasi_newton"})",
                 mesh + R"(apron"}, "pins": [{"group": ")" + group + "\"}]");
  }
  const std::string kFarAway =
      "double3 xformOp:translate = (0, -5, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
};

TEST_F(UsdScene, PinsAndCollidersNameItsParts) {
  const Simulation simulation(with("waist", "table"));
  EXPECT_EQ(simulation.model().vertex_count(), 4) << "the table is no cloth";
  EXPECT_EQ(simulation.model().script.pins.size(), 4u);
  const Mesh& body = *simulation.scene().colliders[0].mesh->mesh;
  EXPECT_EQ(body.vertex_count(), 4);
  EXPECT_EQ(body.positions.col(0), Vec3(0, -5, 0));
}

TEST_F(UsdScene, AWrongNameGetsTheNearestRightOne) {
  const auto refusal_of = [&](const std::string& group, const std::string& object) -> std::string {
    try {
      with(group, object);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(refusal_of("wasit", "table").find("the mesh has no group \"wasit\"; did you mean \"waist\"?"),
            std::string::npos);
  const std::string body = refusal_of("waist", "tabel");
  EXPECT_NE(body.find("/colliders/0/mesh/object"), std::string::npos) << body;
  EXPECT_NE(body.find("the mesh has no object \"tabel\"; did you mean \"table\"?"), std::string::npos)
      << body;
}

// --- what is wrong ---------------------------------------------------------------------------------

TEST(UsdReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal("solid teapot"), "a.usda:1: a USD file must begin with #usda 1.0, got 'solid teap'");
  EXPECT_NE(refusal("PXR-USDC\0\0").find("a.usda:1: binary USD is not read: convert it to text (usdcat"),
            std::string::npos);
  EXPECT_EQ(refusal(kMetres + "def Mesh \"a\" {"),
            "a.usda:4: expected a property, a prim or }, got the end of the file");
  EXPECT_EQ(refusal(kMetres + "def Mesh \"a\" {\nint[] faceVertexCounts = [3, x-]\n}"),
            "a.usda:5: expected , or ], got '-]'");
  EXPECT_EQ(refusal(kMetres + "def Mesh \"a\" {\ntoken a = \"open\n}"),
            "a.usda:5: a closing quote is missing");
  EXPECT_EQ(refusal(kMetres + "undef Mesh \"a\" {}"), "a.usda:4: expected def, over or class, got 'undef'");
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kMetres + mesh_prim();
    const std::size_t place = text.find(from);
    EXPECT_NE(place, text.npos) << from;
    return refusal(text.replace(place, from.size(), to));
  };
  EXPECT_EQ(with("2, 3]", "2, 4]"),
            "a.usda:7: number 3 of faceVertexIndices must be a whole number from 0 to 3, got 4");
  EXPECT_EQ(with("[4]", "[5]"),
            "a.usda:4: faceVertexCounts of 'sheet' make 5 corners, faceVertexIndices has 4");
  EXPECT_EQ(with("[4]", "[-4]"),
            "a.usda:6: number 0 of faceVertexCounts must be a whole number from 0 to 1000000000, got -4");
  EXPECT_EQ(with("(1, 0, 0)", "(1, 0)"), "a.usda:8: expected 3 numbers in parentheses, got 2");
  EXPECT_EQ(with("(1, 0, 0)", "(1, nan, 0)"), "a.usda:8: points must be finite, got nan");
  EXPECT_EQ(with("upAxis = \"Y\"", "upAxis = \"X\""), "a.usda:3: upAxis must be \"Y\" or \"Z\", got 'X'");
  EXPECT_EQ(with("metersPerUnit = 1", "metersPerUnit = 0"),
            "a.usda:2: metersPerUnit must be a number above 0");
  EXPECT_EQ(refusal(kMetres + mesh_prim("uniform token[] xformOpOrder = [\"xformOp:scale\"]")),
            "a.usda:9: xformOpOrder names 'xformOp:scale', which is missing");
  EXPECT_EQ(refusal(kMetres),
            "a.usda: a mesh must have vertices, found none\na.usda: a mesh must have faces, found none");
  std::string deep = kMetres;
  for (int k = 0; k < 10000; ++k) deep += "def \"a\" {";
  EXPECT_EQ(refusal(deep), "a.usda:4: prims must lie at most 100 deep");
  EXPECT_EQ(refusal(kMetres + "def \"a\" { int b = " + std::string(100000, '[')),
            "a.usda:4: values must lie at most 100 lists deep");
}

TEST(UsdReader, RefusesWhatOnlyOthersCanPutTogether) {
  const std::string flatten = "flatten the file first (usdcat --flatten), or export it";
  for (const char* arc :
       {"references = @coat.usda@</coat>", "prepend payload = @a.usda@", "inherits = </_class>"})
    EXPECT_NE(refusal(kMetres + "def \"a\" (" + arc + ") {}").find(flatten), std::string::npos) << arc;
  EXPECT_NE(
      refusal("#usda 1.0\n(subLayers = [@a.usda@ (offset = 1)])").find("a.usda:2: subLayers are not read"),
      std::string::npos);
  EXPECT_NE(
      refusal(kMetres + "def \"a\" {\nvariantSet \"v\" = {}\n}").find("a.usda:5: variants are not read"),
      std::string::npos);
  EXPECT_NE(refusal(kMetres + mesh_prim("int[] primvars:skel:jointIndices = [0]"))
                .find("a skeleton deforms 'sheet'"),
            std::string::npos);
}

}  // namespace
}  // namespace muslin
