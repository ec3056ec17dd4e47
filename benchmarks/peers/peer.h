#ifndef LINKWRIGHT_BENCHMARKS_PEER_H
#define LINKWRIGHT_BENCHMARKS_PEER_H
/* A plain C face for every library that is compared. Each peer is a shared object with its own
 * compiler and flags; only numbers cross the border, so no library's types, alignment or inline
 * functions can meet another's in one process.
 *
 * Order of numbers, the same for all: bodies as given, parents first; a free joint has
 * q = [w x y z, px py pz] and v = [angular; linear] in the body frame. Matrices are row by row.
 * Everything is converted when states are set and when results are read, never while the clock
 * runs. */

#ifdef __cplusplus
extern "C" {
#endif

enum PeerJoint {
  PEER_FIXED = 0,
  PEER_REVOLUTE = 1,
  PEER_PRISMATIC = 2,
  PEER_FREE = 3,
  PEER_UNIVERSAL = 4 /* closed chains only: about axis, then about axis2 on the child */
};

enum PeerQuantity {
  PEER_INVERSE_DYNAMICS = 0,
  PEER_FORWARD_DYNAMICS = 1,
  PEER_MASS_MATRIX = 2,
  /* PEER_STEPS steps of semi-implicit Euler, PEER_STEP_LENGTH seconds each, from the first stored
   * state, without efforts. Asked of fixed bases only: libraries disagree about what a step of a
   * free body is. */
  PEER_STEP = 3,
  /* First derivatives along the group: dtau/dq, dtau/dv, dtau/da, and da/dq, da/dv, da/dtau; second
   * ones of the efforts: by q and q, v and v, q and v, a and q. Peers of their own compute them. */
  PEER_INVERSE_DERIVATIVES = 4,
  PEER_FORWARD_DERIVATIVES = 5,
  PEER_SECOND_DERIVATIVES = 6
};
#define PEER_STEPS 32
#define PEER_STEP_LENGTH 1e-3

struct PeerBody {
  int parent; /* index of an earlier body, -1 for the world */
  int joint;  /* PeerJoint that carries this body */
  double R[9],
      p[3]; /* joint frame in the parent's frame; the body's frame is the joint frame at q = 0 */
  double axis[3];  /* unit, in the joint frame */
  double axis2[3]; /* universal only: unit, in the joint frame at q = 0, normal to axis */
  double mass, com[3];
  double inertia[6]; /* xx yy zz xy xz yz about the centre of mass, body axes */
  const char* name;
};

/* Gravity is (0, 0, -9.81). */
struct Peer {
  const char* library; /* name and version */
  const char* compiler;

  /* NULL when the library cannot represent the model; `why` then says why. */
  void* (*create)(const struct PeerBody* bodies, int count, const char** why);
  void (*destroy)(void* self);

  /* NULL when this peer can compute the quantity for this model, otherwise the reason it cannot. */
  const char* (*why_not)(void* self, int quantity);

  /* Stores `count` states, nq, nv, nv, nv numbers each, in the library's own order. */
  void (*set_states)(void* self, int count, const double* q, const double* v, const double* a,
                     const double* tau);

  /* The timed call: the library's own function, once per stored state. */
  void (*run)(void* self, int quantity);

  /* Result for one stored state in the common order: nv numbers, or nv*nv for the mass matrix; for
   * the steps the velocities after the last one; for derivatives the matrices, or the four arrays, one
   * after the other, entry (i, j, k) of an array at (i*nv + j)*nv + k. */
  void (*result)(void* self, int quantity, int state, double* out);
};

/* What each shared object exports. */
const struct Peer* linkwright_peer(void);
typedef const struct Peer* (*PeerEntry)(void);

#ifdef __cplusplus
}
#endif
#endif
