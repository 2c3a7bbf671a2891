//! Compiled shaders from one run to the next.

mod device;

use hpfracc_backend::{Backend, Workload};
use hpfracc_wgpu::{Fft, Gpu, GpuError, GpuOptions};
use std::fs;
use std::path::Path;

/// A device that keeps its shaders in this folder, after it has compiled and used one.
fn run(folder: &Path) -> Gpu {
    let options = GpuOptions { pipeline_folder: Some(folder.into()), ..Default::default() };
    let gpu = Gpu::with(options).unwrap();
    let workload = Workload::CausalConvolution { len: 200, batch: 1 };
    let sum = Fft::new(&gpu).plan(workload).unwrap().bind(&[1.0; 200]).unwrap();
    let mut y = [0.0; 200];
    sum.apply(&[0.5; 200], &mut y).unwrap();
    assert!((y[199] - 100.0).abs() < 1e-3, "{}", y[199]);
    gpu
}

/// Whether the interface has caches of compiled shaders at all.
fn has_caches(gpu: &Gpu) -> bool {
    wgpu::util::pipeline_cache_key(&gpu.device().adapter_info()).is_some()
}

#[test]
fn shaders_are_kept_and_damage_is_survived() {
    let Some(gpu) = device::gpu("shaders_are_kept") else { return };
    assert!(!gpu.save_pipelines().unwrap(), "there is no folder to keep them in");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    let saved = run(&folder).save_pipelines().unwrap();
    assert_eq!(saved, has_caches(&gpu));
    if !saved {
        return println!("skipped: shaders_are_kept: the interface has no caches");
    }
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|f| f.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    let whole = fs::read(file).unwrap();
    run(&folder);
    let turned_at = |at: usize| {
        let mut content = whole.clone();
        content[at] ^= 1;
        content
    };
    let damaged = [
        Vec::new(),
        b"nonsense".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        turned_at(whole.len() / 2),
        turned_at(whole.len() - 1),
        turned_at(25),
    ];
    for content in damaged {
        fs::write(file, &content).unwrap();
        // A file that cannot be used is as good as none, and is written anew.
        assert!(run(&folder).save_pipelines().unwrap());
        assert_ne!(fs::read(file).unwrap(), content);
        run(&folder);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_that_names_the_file() {
    let Some(gpu) = device::gpu("a_folder_that_cannot_be_written") else { return };
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "").unwrap();
    if !has_caches(&gpu) {
        return println!("skipped: a_folder_that_cannot_be_written: the interface has no caches");
    }
    let error = run(&blocked).save_pipelines().unwrap_err();
    assert!(matches!(error, GpuError::PipelineFile { .. }), "{error:?}");
    assert!(error.to_string().contains(&blocked.display().to_string()), "{error}");
}
