#ifndef LINKWRIGHT_BENCHMARKS_CLOSED_PEER_H
#define LINKWRIGHT_BENCHMARKS_CLOSED_PEER_H
/* The plain C face of a library that computes forward dynamics of closed chains; see peer.h for why
 * it is plain, and for the order of numbers. */

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct PeerClosure {
  int a, b;            /* bodies, -1 for the world */
  double Ra[9], pa[3]; /* closure frame on a */
  double Rb[9], pb[3]; /* and on b */
  int rows;            /* 3: the origins meet, 6: the frames are welded */
};

/* A library offers several settings: algorithm, regularisation, iterations. Which of them are good
 * enough, and which of those is fastest, the driver finds out. */
struct ClosedPeer {
  const char* library; /* name and version */
  const char* compiler;

  void* (*create)(const struct PeerBody* bodies, int count, const struct PeerClosure* closures,
                  int closure_count);
  void (*destroy)(void* self);

  int (*setting_count)(void* self);
  const char* (*algorithm)(void* self, int setting);
  /* What the algorithm was given, for the table. */
  const char* (*setting)(void* self, int setting);

  /* Stores `count` states, nq, nv, nv numbers each, in the library's own order. */
  void (*set_states)(void* self, int count, const double* q, const double* v, const double* tau);

  /* The timed call: the library's own function, once per stored state. */
  void (*run)(void* self, int setting);

  /* Accelerations for one stored state in the common order. */
  void (*result)(void* self, int setting, int state, double* a);

  /* Whether derivatives of accelerations and constraint forces follow from what this setting leaves. */
  int (*has_derivatives)(void* self, int setting);
  /* Timed: the accelerations and then their derivatives, once per stored state. */
  void (*run_derivatives)(void* self, int setting);
  /* Accelerations of one stored state by q, v and tau: three matrices of nv x nv, row by row. */
  void (*derivatives)(void* self, int setting, int state, double* out);
};

const struct ClosedPeer* linkwright_closed_peer(void);
typedef const struct ClosedPeer* (*ClosedPeerEntry)(void);

#ifdef __cplusplus
}
#endif
#endif
