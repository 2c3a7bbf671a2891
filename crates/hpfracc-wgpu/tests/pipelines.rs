//! The file of compiled shaders.

mod device;

use hpfracc_backend::{Backend, Workload};
use hpfracc_wgpu::{Fft, Gpu, GpuError, GpuOptions};
use std::fs;
use std::path::Path;

/// A device with its compiled shaders in this folder, after it has compiled and used one.
fn run(folder: &Path) -> Gpu {
    let options = GpuOptions { pipeline_folder: Some(folder.into()), ..Default::default() };
    let gpu = Gpu::with(options).unwrap();
    let workload = Workload::CausalConvolution { len: 200, batch: 1 };
    let sum = Fft::new(&gpu.f32()).plan(workload).unwrap().bind(&[1.0; 200]).unwrap();
    let mut y = [0.0; 200];
    sum.apply(&[0.5; 200], &mut y).unwrap();
    assert!((y[199] - 100.0).abs() < 1e-3, "{}", y[199]);
    gpu
}

/// Whether the interface has pipeline caches.
fn has_caches(gpu: &Gpu) -> bool {
    wgpu::util::pipeline_cache_key(&gpu.device().adapter_info()).is_some()
}

#[test]
fn shaders_are_saved_and_damaged_files_are_ignored() {
    let Some(gpu) = device::gpu("shaders_are_saved") else { return };
    assert!(!gpu.save_pipelines().unwrap(), "there is no folder");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    let saved = run(&folder).save_pipelines().unwrap();
    assert_eq!(saved, has_caches(&gpu));
    if !saved {
        return println!("skipped: shaders_are_saved: the interface has no caches");
    }
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|f| f.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    let saved_file = fs::read(file).unwrap();
    run(&folder);
    let flipped_at = |at: usize| {
        let mut content = saved_file.clone();
        content[at] ^= 1;
        content
    };
    let damaged = [
        Vec::new(),
        b"nonsense".to_vec(),
        saved_file[..saved_file.len() / 2].to_vec(),
        saved_file[..saved_file.len() - 1].to_vec(),
        flipped_at(saved_file.len() / 2),
        flipped_at(saved_file.len() - 1),
        flipped_at(25),
    ];
    for content in damaged {
        fs::write(file, &content).unwrap();
        // A damaged file is ignored and replaced.
        assert!(run(&folder).save_pipelines().unwrap());
        assert_ne!(fs::read(file).unwrap(), content);
        run(&folder);
    }
}

#[test]
fn an_unwritable_folder_is_an_error_that_names_the_file() {
    let Some(gpu) = device::gpu("an_unwritable_folder") else { return };
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    if !has_caches(&gpu) {
        return println!("skipped: an_unwritable_folder: the interface has no caches");
    }
    let error = run(&blocked).save_pipelines().unwrap_err();
    assert!(matches!(error, GpuError::PipelineFile { .. }), "{error:?}");
    assert!(error.to_string().contains(&blocked.display().to_string()), "{error}");
}
