#pragma once

/// How a stage is drawn.
struct Drawing {
  int samples = 4;  ///< a pixel; 1: edges are jagged
  int shrink = 1;   ///< pixels of the window, each way, that one pixel of the picture covers
};

/// How finely stages are drawn while something moves: as finely as this machine draws in time. What rests is
/// drawn in full.
class Pace {
 public:
  /// Something moves at that time [s]: the cloth, or a hand.
  void moved(double time) { moved_ = time; }
  /// Nothing has moved for a while.
  bool rests(double time) const;
  /// How the next picture of what moves is to be drawn.
  Drawing moving() const;
  /// That picture took so long [ms].
  void took(double ms);

 private:
  double moved_ = 0;
  int level_ = 0;  ///< of kLevels
  int slow_ = 0;   ///< pictures that took too long, one after another
  int quick_ = 0;  ///< likewise that would have been in time one level finer
};
