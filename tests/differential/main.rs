//! Kernels of the whole language, run on every accelerator: what they leave is compared
//! bit for bit with what plain Rust computes on the host.
//!
//! One module a theme. Tables of expressions (`table!`) cover operators and methods,
//! functions that exist twice (`twice!`) cover control flow, and kernels written out
//! cover what needs views, tiles and parameters.

mod apart;
mod arithmetic;
mod arrays;
mod asserts;
mod atomic_references;
mod atomic_types;
mod atomics;
mod bound_calls;
mod bundles;
mod casts;
mod closures;
mod coarsening;
mod components;
mod compound_consts;
mod consts;
mod control_flow;
mod data;
mod driver_faults;
mod enums;
mod expressions;
mod faults;
mod float_atomics;
mod fragments;
mod generic_types;
mod generics;
mod helpers;
mod hidden_names;
mod host_calls;
mod hygiene;
mod included;
mod index_types;
mod instances;
mod known_bits;
mod large_arrays;
mod local_memory;
mod loop_exits;
mod many_helpers;
mod many_loops;
mod matches;
mod math;
mod math_double;
mod messages;
mod methods;
mod module_methods;
mod module_needs;
mod modules;
mod neighbours;
mod nested;
mod operands;
mod own_built_ins;
mod own_names;
mod params;
mod peers;
mod prints;
mod ranges;
mod references;
mod renamed;
mod repeated_items;
mod reports;
mod returned_views;
mod scalars;
mod sections;
mod steps;
mod subgroups;
mod tile_memory;
mod tiles;
mod trait_bounds;
mod transcendental;
mod vectors;
mod versions;
mod wide_index;
