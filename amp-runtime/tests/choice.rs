//! A wrong `AMP_ACCELERATOR` is an error that says what there is. One test, because it
//! sets the environment of its process.

use amp_runtime::{Accelerator, Array, Error};

#[test]
fn a_wrong_name_lists_the_accelerators() {
    // SAFETY: the only test of the process.
    unsafe { std::env::set_var("AMP_ACCELERATOR", "no such thing") };
    let error = Accelerator::default().unwrap_err();
    let Error::NoSuchAccelerator {
        wanted, available, ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(wanted, "no such thing");
    assert_eq!(available.len(), Accelerator::all().len());
    assert!(error.to_string().contains("AMP_ACCELERATOR"));
    assert!(Array::<f32, 1>::zeroed(4).is_err());

    // SAFETY: as above.
    unsafe { std::env::set_var("AMP_ACCELERATOR", "CPU") };
    assert_eq!(Accelerator::default().unwrap(), Accelerator::cpu());
    let array = Array::<f32, 1>::zeroed(4).unwrap();
    assert_eq!(array.accelerator_view().accelerator(), Accelerator::cpu());
    // The default has been used, so it stays.
    assert!(!Accelerator::set_default(&Accelerator::all()[0]));
    // SAFETY: as above.
    unsafe { std::env::remove_var("AMP_ACCELERATOR") };
    assert_eq!(Accelerator::default().unwrap(), Accelerator::cpu());
}
