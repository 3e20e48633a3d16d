#include <signal.h>
#include <spawn.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "render_command.h"

extern char** environ;

namespace {

// A sheet falls past a ball; 30 frames a second.
const char* const kScene = R"({
  "name": "fall", "frames": FRAMES, "frame_time": TIME,
  "cloths": [{"grid": {"points": [7, 7], "size": [0.5, 0.5], "origin": [-0.2, 1, -0.25]}}],
  "colliders": [{"shape": "sphere", "center": [0.3, 0.4, 0], "radius": 0.2}],
  "solver": {"family": "position", "position": {"substeps": SUBSTEPS}}
})";

class FilmTest : public RenderCommand {
 protected:
  FilmTest() { scene("scene.json", 12, 1.0 / 30); }

  void scene(const std::string& file, int frames, double frame_time, int substeps = 5) const {
    std::string text = kScene;
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"FRAMES", std::to_string(frames)},
                                            {"TIME", fmt::format("{}", frame_time)},
                                            {"SUBSTEPS", std::to_string(substeps)}})
      text.replace(text.find(name), name.size(), value);
    write(file, text);
  }

  void program(const std::string& file, const std::string& text) const {
    write(file, "#!/bin/sh\n" + text);
    std::filesystem::permissions(folder_ / file, std::filesystem::perms::owner_all);
  }

  /// What ffprobe says of a film, by its names; empty if it cannot be read.
  std::map<std::string, std::string> probe(const std::string& film) const {
    const int code = shell(
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
        "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames:format=duration "
        "-of default=noprint_wrappers=1 " +
        film);
    EXPECT_EQ(code, 0) << messages();
    std::map<std::string, std::string> facts;
    std::istringstream lines(output());
    for (std::string line; std::getline(lines, line);)
      facts[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
    return facts;
  }

  static bool has_ffmpeg() {
    return std::system("ffmpeg -version > /dev/null 2>&1 && ffprobe -version > /dev/null 2>&1") == 0;
  }
};

#define NEEDS_FFMPEG() \
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed"

TEST_F(FilmTest, EveryFormatHasItsPicturesSizeAndLength) {
  NEEDS_FFMPEG();
  struct Case {
    const char *file, *codec, *format;
    int width;  // of 161 pixels
  };
  for (const Case& c : {Case{"a.mp4", "h264", "yuv420p", 162}, Case{"a.webm", "vp9", "yuv420p", 162},
                        Case{"a.gif", "gif", "bgra", 161}}) {
    ASSERT_EQ(muslin(fmt::format("render scene.json --size 161x120 --out {}", c.file)), 0) << messages();
    EXPECT_EQ(says("161x120 made even"), c.width == 162) << messages();
    auto facts = probe(c.file);
    EXPECT_EQ(facts["codec_name"], c.codec);
    EXPECT_EQ(facts["pix_fmt"], c.format);
    EXPECT_EQ(facts["width"], std::to_string(c.width));
    EXPECT_EQ(facts["height"], "120");
    EXPECT_EQ(facts["nb_read_frames"], "13") << c.file;
    EXPECT_NEAR(std::atof(facts["duration"].c_str()), 13 / 30.0, 0.02) << c.file;
  }
  EXPECT_EQ(listing(), (std::vector<std::string>{"a.gif", "a.mp4", "a.webm", "scene.json"}));
}

TEST_F(FilmTest, PicturesOfAFilmAreThePicturesOfTheFrames) {
  NEEDS_FFMPEG();
  ASSERT_EQ(muslin("run scene.json --out frames"), 0);
  ASSERT_EQ(muslin("render frames --size 160x120 --out pictures"), 0) << messages();
  for (const char* film : {"a.mp4", "a.webm", "a.gif"}) {
    for (const std::string source : {"frames", "scene.json"}) {
      if (source == "scene.json" && film != std::string("a.mp4")) continue;  // once is enough
      ASSERT_EQ(muslin(fmt::format("render {} --size 160x120 --out {} --force", source, film)), 0)
          << messages();
      ASSERT_EQ(shell(fmt::format("ffmpeg -v error -y -i {} -start_number 0 decoded_%04d.png", film)), 0)
          << messages();
      for (const int frame : {0, 7, 12}) {
        const Bytes is = pixels(fmt::format("decoded_{:04d}.png", frame), 160, 120);
        const Bytes should = pixels(fmt::format("pictures/frame_{:04d}.png", frame), 160, 120);
        const Bytes other = pixels(fmt::format("pictures/frame_{:04d}.png", frame == 0 ? 12 : 0), 160, 120);
        ASSERT_EQ(is.size(), should.size());
        double difference = 0, change = 0;
        for (size_t i = 0; i < is.size(); ++i) {
          difference += std::abs(is[i] - should[i]) / double(is.size());
          change += std::abs(is[i] - other[i]) / double(is.size());
        }
        EXPECT_LT(difference, 2) << film << " of " << source << ", frame " << frame;
        EXPECT_GT(change, 2 * difference) << film << " of " << source << ", frame " << frame;
      }
    }
  }
}

TEST_F(FilmTest, RunsInRealTimeAtARateThatPlayersShow) {
  NEEDS_FFMPEG();
  struct Case {
    int frames;
    double frame_time;
    const char *options, *rate, *pictures, *words;
  };
  for (const Case& c : {Case{12, 1.0 / 30, "--frames 3..7", "30/1", "5", "one a frame"},
                        Case{19, 0.01, "", "50/1", "10", "one every 2 frames"},  // 20 frames in 0.2 s
                        Case{3, 0.25, "", "12/1", "12", "3 a frame"},            // 4 frames in 1 s
                        Case{11, 1.0 / 30, "--speed 0.5", "15/1", "12", "one a frame"},
                        Case{11, 1.0 / 30, "--fps 10", "10/1", "4", "one every 3 frames"},
                        Case{11, 1.0 / 30, "--fps 60 --speed 4", "60/1", "6", "one every 2 frames"}}) {
    scene("timed.json", c.frames, c.frame_time);
    ASSERT_EQ(muslin(fmt::format("render timed.json --size 64x48 --out timed.mp4 --force {}", c.options)), 0)
        << messages();
    EXPECT_TRUE(says(c.words)) << messages();
    auto facts = probe("timed.mp4");
    EXPECT_EQ(facts["r_frame_rate"], c.rate) << c.options;
    EXPECT_EQ(facts["nb_read_frames"], c.pictures) << c.options;
  }
}

TEST_F(FilmTest, WithoutFfmpegSaysHowToGetIt) {
  EXPECT_EQ(muslin("render scene.json --size 64x48 --out a.mp4", "PATH=/nowhere"), 5);
  EXPECT_TRUE(says("apt install ffmpeg")) << messages();
  EXPECT_EQ(muslin("render scene.json --size 64x48 --out a.gif", "MUSLIN_FFMPEG=/no/such/program"), 5);
  EXPECT_TRUE(says("/no/such/program")) << messages();
  EXPECT_FALSE(says("simulated")) << "said before the work, not after it";
  EXPECT_EQ(muslin("render scene.json --size 64x48 --out a.png", "PATH=/nowhere"), 0) << messages();
  EXPECT_EQ(listing(), (std::vector<std::string>{"a.png", "scene.json"}));
}

TEST_F(FilmTest, AnEncoderThatFailsLeavesItsWordsAndNoFile) {
  program("at_once", "echo 'Unknown encoder' >&2\nexit 1\n");
  program("half_way", "head -c 20000 > /dev/null\necho 'No space left on device' >&2\nexit 1\n");
  program("at_the_end", "cat > /dev/null\necho 'Error writing trailer' >&2\nexit 3\n");
  program("killed", "head -c 20000 > /dev/null\nkill -9 $$\n");
  program("chatty", "head -c 3000000 /dev/zero | tr '\\0' x >&2\necho 'the last word' >&2\nexit 1\n");
  const auto before = listing();
  for (const auto& [name, words] :
       std::vector<std::pair<std::string, std::string>>{{"at_once", "Unknown encoder"},
                                                        {"half_way", "No space left on device"},
                                                        {"at_the_end", "Error writing trailer"},
                                                        {"killed", "signal 9"},
                                                        {"chatty", "the last word"}}) {
    EXPECT_EQ(muslin("render scene.json --size 64x48 --out a.mp4", "MUSLIN_FFMPEG=./" + name), 5) << name;
    EXPECT_TRUE(says(words)) << name << ": " << messages();
    EXPECT_LT(messages().size(), 3000u) << name;
    EXPECT_EQ(listing(), before) << name;
  }
}

TEST_F(FilmTest, AFullDiskLeavesNoFile) {
  NEEDS_FFMPEG();
  ASSERT_EQ(muslin("run scene.json --out frames"), 0);
  const std::string full = "trap '' XFSZ; ulimit -f 4;";  // files end after some kB, as on a full disk
  for (const char* film : {"a.mp4", "a.webm", "a.gif", "a.png"}) {
    EXPECT_EQ(muslin(fmt::format("render frames --size 320x240 --out {}", film), full), 5)
        << film << messages();
    EXPECT_TRUE(says(film)) << messages();
    EXPECT_FALSE(exists(film)) << film;
  }
  EXPECT_EQ(listing(), (std::vector<std::string>{"frames", "scene.json"}));
}

TEST_F(FilmTest, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  write("there.mp4", "mine");
  for (const char* out : {"there.mp4", "nowhere/a.mp4", "nowhere/a.png", "/proc/a.gif", "/proc/pictures",
                          "scene.json/pictures"}) {
    EXPECT_EQ(muslin(fmt::format("render scene.json --size 64x48 --out {}", out)), 5) << out << messages();
    EXPECT_FALSE(says("simulated")) << out << messages();
  }
  EXPECT_EQ(read("there.mp4"), "mine");
}

TEST_F(FilmTest, RangesMustBeAmongTheFrames) {
  ASSERT_EQ(muslin("run scene.json --out frames"), 0);
  for (const char* range : {"3..40", "40..", "..40", "13..13"})
    EXPECT_EQ(muslin(fmt::format("render frames --size 64x48 --out p --frames {}", range)), 3) << range;
  EXPECT_TRUE(says("must be one of 0 to 12")) << messages();
  for (const char* range : {"7..3", "a..b", "5", "-1..4", "1..2..3", "1.5..3", "99999999999..", "..."})
    EXPECT_EQ(muslin(fmt::format("render frames --size 64x48 --out p --frames={}", range)), 2) << range;
  EXPECT_FALSE(exists("p"));
  ASSERT_EQ(muslin("render frames --size 64x48 --out p --frames 3..5"), 0) << messages();
  ASSERT_EQ(muslin("render frames --size 64x48 --out p --frames 11.."), 0) << messages();
  ASSERT_EQ(muslin("render scene.json --size 64x48 --out p --frames ..1"), 0) << messages();
  const std::vector<std::string> seven{"frame_0000.png", "frame_0001.png", "frame_0003.png", "frame_0004.png",
                                       "frame_0005.png", "frame_0011.png", "frame_0012.png"};
  EXPECT_EQ(listing("p"), seven);
  EXPECT_EQ(muslin("render frames --size 64x48 --out p --frames 5..6"), 5) << "exists";
  EXPECT_EQ(listing("p"), seven);
  for (const char* options : {"--out a.png --frames 1..2", "--out p --frame 1", "--out a.mp4 --frame 1",
                              "--out p --fps 10", "--out a.png --speed 2", "--out a.png --solver newton",
                              "--out a.png --set frames=3", "--out a.mp4 --speed 0"})
    EXPECT_EQ(muslin(fmt::format("render frames --size 64x48 {}", options)), 2) << options;
}

TEST_F(FilmTest, FallingClothStaysInThePicture) {
  // Free fall over 2 m: seen as a silhouette, no column of cloth touches the border in any picture.
  ASSERT_EQ(muslin("render scene.json --size 120x160 --out p --set colliders=[] --set frames=20"), 0)
      << messages();
  for (const int frame : {0, 10, 20}) {
    const Bytes bytes = pixels(fmt::format("p/frame_{:04d}.png", frame), 120, 160);
    ASSERT_FALSE(bytes.empty());
    int inside = 0, border = 0;
    for (int y = 0; y < 160; ++y)
      for (int x = 0; x < 120; ++x) {
        const unsigned char* pixel = &bytes[3 * (120 * y + x)];
        const bool blue = pixel[2] > pixel[0] + 12;  // the first cloth is the only blue there is
        (x == 0 || y == 0 || x == 119 || y == 159 ? border : inside) += blue;
      }
    EXPECT_GT(inside, 100) << frame;
    EXPECT_EQ(border, 0) << frame;
  }
}

/// The program, running beside the test.
class Running {
 public:
  Running(const std::filesystem::path& folder, const std::string& arguments) : folder_(folder) {
    const std::string line = fmt::format("cd '{}' && exec '{}' {} > /dev/null 2> messages.txt",
                                         folder.string(), MUSLIN_CLI, arguments);
    std::vector<char*> words{const_cast<char*>("sh"), const_cast<char*>("-c"),
                             const_cast<char*>(line.c_str()), nullptr};
    if (posix_spawnp(&pid_, "sh", nullptr, nullptr, words.data(), environ) != 0) pid_ = -1;
  }
  /// Ctrl-C as soon as it has said something; false if that does not come within a minute.
  bool interrupt_after(const std::string& words) const {
    for (int wait = 0; wait < 6000; ++wait) {
      std::ostringstream text;
      text << std::ifstream(folder_ / "messages.txt").rdbuf();
      if (text.str().find(words) != std::string::npos) return kill(pid_, SIGINT) == 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  int exit_code() const {
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
};

TEST_F(FilmTest, CtrlCFinishesTheFilmSoFar) {
  NEEDS_FFMPEG();
  scene("long.json", 400, 1.0 / 30);
  const Running drawing(folder_, "render long.json --size 64x48 --out a.mp4");
  ASSERT_TRUE(drawing.interrupt_after("picture 41/401")) << messages();
  EXPECT_EQ(drawing.exit_code(), 130) << messages();
  EXPECT_TRUE(says("(interrupted)")) << messages();
  const int pictures = std::atoi(probe("a.mp4")["nb_read_frames"].c_str());
  EXPECT_GE(pictures, 41);
  EXPECT_LT(pictures, 401);
  EXPECT_EQ(listing(), (std::vector<std::string>{"a.mp4", "long.json", "scene.json"}));
}

TEST_F(FilmTest, CtrlCKeepsThePicturesSoFar) {
  scene("long.json", 400, 1.0 / 30);
  const Running drawing(folder_, "render long.json --size 64x48 --out p");
  ASSERT_TRUE(drawing.interrupt_after("picture 41/401")) << messages();
  EXPECT_EQ(drawing.exit_code(), 130) << messages();
  const auto pictures = listing("p");
  EXPECT_GE(pictures.size(), 41u);
  EXPECT_LT(pictures.size(), 401u);
  EXPECT_EQ(pictures.back(), fmt::format("frame_{:04d}.png", pictures.size() - 1))
      << "no temporaries, no gaps";
  EXPECT_FALSE(pixels("p/" + pictures.back(), 64, 48).empty()) << "the last is complete";
}

TEST_F(FilmTest, CtrlCWhileSimulatingDrawsWhatThereIs) {
  NEEDS_FFMPEG();
  scene("long.json", 200, 1.0 / 30, 300);
  const Running simulating(folder_, "render long.json --size 64x48 --out a.webm");
  ASSERT_TRUE(simulating.interrupt_after("simulated frame 20/200")) << messages();
  EXPECT_EQ(simulating.exit_code(), 130) << messages();
  const int pictures = std::atoi(probe("a.webm")["nb_read_frames"].c_str());
  EXPECT_GE(pictures, 20);
  EXPECT_LT(pictures, 200);

  const Running picture(folder_, "render long.json --size 64x48 --out a.png");
  ASSERT_TRUE(picture.interrupt_after("simulated frame 20/200")) << messages();
  EXPECT_EQ(picture.exit_code(), 130) << messages();
  EXPECT_FALSE(exists("a.png")) << "the picture that was asked for is not there yet";
}

}  // namespace
