//! Static server of a folder.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;

/// Server on a free port of this computer, up to the end of the process.
pub(crate) struct Server {
    pub address: String,
}

impl Server {
    /// Serves the first of these folders that has a file.
    pub(crate) fn start(folders: Vec<PathBuf>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("a bound address"));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folders = folders.clone();
                thread::spawn(move || drop(answer(stream, &folders)));
            }
        });
        Self { address }
    }
}

fn answer(mut stream: TcpStream, folders: &[PathBuf]) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).take(1 << 16).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or("/");
    let path = path.split(['?', '#']).next().unwrap_or("/").trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let file =
        folders.iter().filter(|_| inside).find_map(|folder| fs::read(folder.join(path)).ok());
    let (status, body) = match file {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", b"no such file".to_vec()),
    };
    let kind = match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}
