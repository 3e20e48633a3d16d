#include "muslin/core/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "property/methods.h"

namespace muslin {
namespace {

// What is built without threads has teams of one; all else holds there, too.
int size_of_team(int count) { return ThreadTeam(2).count() == 1 ? 1 : count; }

TEST(ThreadTeams, VisitEveryTaskOnce) {
  for (const int count : {1, 2, 3, 7}) {
    ThreadTeam team(count);
    EXPECT_EQ(team.count(), size_of_team(count));
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<std::atomic<int>> visits(37);
      team.run(37, [&](int i) { ++visits[i]; });
      for (const std::atomic<int>& visit : visits) ASSERT_EQ(visit, 1);
    }
  }
}

TEST(ThreadTeams, RunTasksOfTasks) {
  ThreadTeam team(3);
  const TeamScope scope(&team);
  std::atomic<int> visits = 0;
  parallel_for(
      20,
      [&](int) {
        parallel_for(
            30, [&](int) { ++visits; }, 1);
      },
      1);
  EXPECT_EQ(visits, 600);
}

TEST(ThreadTeams, ThrowWhatATaskThrowsAndGoOn) {
  for (const int count : {1, 3}) {
    ThreadTeam team(count);
    EXPECT_THROW(team.run(50,
                          [](int i) {
                            if (i == 17) throw std::runtime_error("seventeen");
                          }),
                 std::runtime_error);
    std::atomic<int> visits = 0;
    team.run(50, [&](int) { ++visits; });
    EXPECT_EQ(visits, 50);
  }
}

TEST(ThreadTeams, AScopeHoldsForItsThreadAlone) {
  set_threads(2);
  const int common = threads();
  ThreadTeam team(5);
  {
    const TeamScope scope(&team);
    EXPECT_EQ(threads(), team.count());
    const TeamScope inner(nullptr);
    EXPECT_EQ(threads(), team.count());
    std::thread([&] { EXPECT_EQ(threads(), common); }).join();
  }
  EXPECT_EQ(threads(), common);
  set_threads(0);
}

// A team has no more threads at work at once than it has members, however many callers come with other teams.
TEST(ThreadTeams, OfOtherCallersDoNotJoin) {
  const auto most_at_once = [](int count) {
    ThreadTeam team(count);
    std::atomic<int> now = 0, most = 0;
    for (int repeat = 0; repeat < 20; ++repeat)
      team.run(40, [&](int) {
        const int here = ++now;
        for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
        }
        std::this_thread::yield();
        --now;
      });
    return most.load();
  };
  int of_two = 0, of_three = 0;
  std::thread other([&] { of_two = most_at_once(2); });
  of_three = most_at_once(3);
  other.join();
  EXPECT_LE(of_two, 2);
  EXPECT_LE(of_three, 3);
}

TEST(ThreadTeams, SimulationsOfDifferentTeamsRunSideBySide) {
  const Scene scene = busy_sheet(family("quasi_newton"), {33, 25});
  std::vector<std::uint64_t> expected;
  Simulation alone(scene);
  alone.set_threads(1);
  for (int frame = 0; frame < 4; ++frame) expected.push_back(alone.step().hash);

  std::vector<std::thread> callers;
  std::vector<std::vector<std::uint64_t>> found(4);
  for (int k = 0; k < 4; ++k)
    callers.emplace_back([&, k] {
      Simulation simulation(scene);
      simulation.set_threads(k + 1);
      EXPECT_EQ(simulation.threads(), size_of_team(k + 1));
      for (int frame = 0; frame < 4; ++frame) found[k].push_back(simulation.step().hash);
    });
  for (std::thread& caller : callers) caller.join();
  for (const std::vector<std::uint64_t>& hashes : found) EXPECT_EQ(hashes, expected);
}

TEST(ThreadTeams, StayWithWhatASimulationIsEditedTo) {
  Simulation simulation(sheet(family("newton")));
  EXPECT_EQ(simulation.threads(), threads());
  simulation.set_threads(3);
  simulation.edit(simulation.scene());
  EXPECT_EQ(simulation.threads(), size_of_team(3));
  simulation.set_threads(0);
  EXPECT_EQ(simulation.threads(), threads());
  EXPECT_THROW(simulation.set_threads(-1), Error);
}

}  // namespace
}  // namespace muslin
