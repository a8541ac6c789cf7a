//! Kernels of the whole language, run on every accelerator: what they leave is compared
//! bit for bit with what plain Rust computes on the host.
//!
//! One module a theme. Tables of expressions (`table!`) cover operators and methods,
//! functions that exist twice (`twice!`) cover control flow, and kernels written out
//! cover what needs views, tiles and parameters.

/// A module for kernels, and the same as plain Rust.
macro_rules! device_and_host {
    ($($items:tt)*) => {
        #[amp::prelude::amp_module]
        pub mod device { $($items)* }

        #[allow(clippy::all, dead_code, arithmetic_overflow)]
        pub mod host { $($items)* }
    };
}

/// A test that `device::all` of the first numbers is what `host::all` is, on every accelerator.
macro_rules! all_agree {
    ($test:ident: $element:ty, $count:literal) => {
        #[amp::prelude::amp_kernel]
        fn of_all(idx: Index<1>, out: &mut ArrayViewMut<$element, 1>) {
            out[idx] = device::all(idx[0] as u32);
        }

        #[test]
        fn $test() {
            let expected: Vec<$element> = (0..$count).map(host::all).collect();
            testkit::gives(&expected, |view, out| {
                testkit::launch(view, out.extent(), of_all(out))
            });
        }
    };
}

/// For `own_macros`: a macro reaches into the modules behind it, in other files, too.
macro_rules! seventh {
    ($x:expr) => {
        $x / 7
    };
}

mod apart;
mod arithmetic;
mod array_elements;
mod array_methods;
mod arrays;
mod arrays_of_slices;
mod asserts;
mod assigned_references;
mod assigned_slices;
mod associated_types;
mod atomic_references;
mod atomic_types;
mod atomics;
mod bound_calls;
mod bounds_with_lengths;
mod bundles;
mod byte_strings;
mod casts;
mod chosen_functions;
mod chosen_places;
mod closures;
mod coarsening;
mod collected;
mod comparison_methods;
mod components;
mod compound_consts;
mod const_functions;
mod constant_patterns;
mod consts;
mod control_flow;
mod conversion_bounds;
mod conversions;
mod core_functions;
mod data;
mod default_parameters;
mod driver_faults;
mod elements_by_bound;
mod endless_loops;
mod enum_consts;
mod enum_elements;
mod enum_fields;
mod enums;
mod evaluated_lengths;
mod everyday;
mod everyday_bytes;
mod everyday_chains;
mod everyday_generics;
mod everyday_names;
mod everyday_std;
mod everyday_traits;
mod exported_consts;
mod expressions;
mod extended_iterators;
mod faults;
mod flattened;
mod float_atomics;
mod found_copies;
mod found_places;
mod found_rows;
mod found_within;
mod fragments;
mod function_tables;
mod functions_by_name;
mod generic_conversions;
mod generic_errors;
mod generic_integers;
mod generic_launches;
mod generic_panics;
mod generic_sums;
mod generic_traits;
mod generic_types;
mod generics;
mod guards;
mod habits;
mod helpers;
mod hidden_names;
mod host_calls;
mod hygiene;
mod impl_blocks;
mod imported_cases;
mod imported_names;
mod imports_in_bodies;
mod included;
mod index_types;
mod instances;
mod iterators;
mod iterators_by_operators;
mod kept_calls;
mod kept_iterators;
mod kept_slices;
mod known_bits;
mod large_arrays;
mod lent_parts;
mod listed_types;
mod local_memory;
mod lockstep;
mod loop_exits;
mod macro_items;
mod made_by_closures;
mod made_references;
mod many_helpers;
mod many_loops;
mod markers;
mod matches;
mod math;
mod math_double;
mod messages;
mod methods;
mod module_methods;
mod module_needs;
mod modules;
mod named_lengths;
mod named_references;
mod narrow_enums;
mod neighbours;
mod nested;
mod nested_types;
mod number_parameters;
mod operands;
mod operator_bounds;
mod operators_by_operand;
mod optional_consts;
mod optional_elements;
mod optional_parameters;
mod optional_references;
mod options;
mod orderings;
mod own_built_ins;
mod own_defaults;
mod own_into_iterators;
mod own_iterators;
mod own_macros;
mod own_names;
mod own_orders;
mod own_sources;
mod own_sums;
mod own_trait_names;
mod padded_structs;
mod params;
mod parts_assigned;
mod peeked_iterators;
mod peers;
mod places;
mod pointwise;
mod prints;
mod propagated_errors;
mod qualified;
mod range_values;
mod ranges;
mod ref_patterns;
mod reference_operators;
mod references;
mod renamed;
mod repeated_items;
mod reports;
mod returned_iterators;
mod returned_references;
mod returned_views;
mod rows;
mod same_names;
mod scalars;
mod sections;
mod separated;
mod shown_types;
mod side_by_side;
mod slice_arguments;
mod slice_comparisons;
mod slice_consts;
mod slice_copies;
mod slice_patterns;
mod slices;
mod standard_traits;
mod state_machines;
mod stepped_iterators;
mod steps;
mod struct_consts;
mod subgroups;
mod supplied_members;
mod tables;
mod taken_from_both_ends;
mod taken_iterators;
mod temporaries;
mod tile_memory;
mod tiles;
mod trait_arguments;
mod trait_bounds;
mod trait_constants;
mod transcendental;
mod type_aliases;
mod value_structs;
mod vectors;
mod versions;
mod view_elements;
mod view_slices;
mod visited_options;
mod wide_index;
mod wrapping;
mod written_patterns;
