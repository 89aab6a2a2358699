//! HTTP/1.1 on one connection: reads one request, writes one response, closes.
//!
//! Heads are parsed by `httparse`. Everything has a limit: the size of head and body, the time
//! until both have arrived, the time that the peer may take to read. Any other input is answered by
//! an HTTP error.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The limits of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;
const MAX_BODY: usize = 1 << 20;
const MAX_HEADERS: usize = 64;
/// The time limit for a whole request to arrive, and for a response to be read.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit for the head, before the secret is verified.
const HEAD_TIME: Duration = Duration::from_secs(3);
/// After an error, the bytes and the time for reading the rest of a request, so that the peer sees
/// the answer before the connection ends.
const MAX_DRAINED: usize = 4 << 20;
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// The content security policy of the page: its own files and nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
/// The policy of reports and other pages that contain their scripts and styles. They are isolated
/// from the page and cannot load or send anything.
const VIEW_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
    style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'; sandbox allow-scripts allow-modals allow-downloads";

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// A request, with the headers that matter here.
#[derive(Debug)]
pub struct Request {
    pub method: Method,
    /// The path without the query.
    pub path: String,
    /// The query, without its `?`; empty if there is none.
    pub query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    pub fetch_site: Option<String>,
    pub body: Vec<u8>,
}

/// A response with a body.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
    /// Whether the body is a page with its own scripts.
    pub is_view: bool,
}

impl Response {
    /// Makes a successful response.
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Response {
        Response { status: 200, kind, body: body.into(), is_view: false }
    }

    /// Makes a response of JSON.
    pub fn json(status: u16, value: &serde_json::Value) -> Response {
        Response { status, ..Response::new("application/json", value.to_string()) }
    }

    /// Makes an error with a sentence for the reader.
    pub fn error(status: u16, message: &str) -> Response {
        Response::json(status, &serde_json::json!({ "error": message }))
    }
}

/// The reason why no request was read.
pub enum Unread {
    /// The peer sent nothing, or has closed the connection.
    Gone,
    /// The input is invalid; holds the answer to it.
    Answer(Response),
}

fn answer(status: u16, message: &str) -> Unread {
    Unread::Answer(Response::error(status, message))
}

/// Reads from a stream until a deadline.
struct Timed<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        (&mut &*self.stream).read(buffer)
    }
}

/// Reads a request.
pub fn read(stream: &TcpStream) -> Result<Request, Unread> {
    let began = Instant::now();
    let mut timed = Timed { stream, until: began + HEAD_TIME };
    let mut bytes: Vec<u8> = Vec::with_capacity(2 << 10);
    let length = loop {
        let mut chunk = [0; 4 << 10];
        let count = match timed.read(&mut chunk) {
            Ok(0) if bytes.is_empty() => return Err(Unread::Gone),
            Ok(0) => return Err(answer(400, "the request is not complete")),
            Ok(count) => count,
            Err(error) if is_timeout(&error) && bytes.is_empty() => return Err(Unread::Gone),
            Err(error) if is_timeout(&error) => {
                return Err(answer(408, "the request took too long to arrive"));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return Err(Unread::Gone),
        };
        let before = bytes.len().saturating_sub(3);
        bytes.extend_from_slice(&chunk[..count]);
        let end = bytes[before..].windows(4).position(|four| four == b"\r\n\r\n");
        let length = end.map(|end| before + end + 4);
        // The last chunk may contain the end of an oversized head, or the beginning of the body.
        if length.unwrap_or(bytes.len()) > MAX_HEAD {
            return Err(answer(431, "the head of the request is too long"));
        }
        if let Some(length) = length {
            break length;
        }
    };
    let rest = bytes.split_off(length);
    let (mut request, expected) = head(&bytes)?;
    if rest.len() > expected {
        return Err(answer(400, "the request is longer than it says"));
    }
    request.body = rest;
    timed.until = began + TIMEOUT;
    let missing = (expected - request.body.len()) as u64;
    request.body.reserve_exact(expected - request.body.len());
    match timed.take(missing).read_to_end(&mut request.body) {
        Ok(_) if request.body.len() == expected => Ok(request),
        Ok(_) => Err(answer(400, "the request is shorter than it says")),
        Err(error) if is_timeout(&error) => Err(answer(408, "the request took too long to arrive")),
        Err(_) => Err(Unread::Gone),
    }
}

fn is_timeout(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

/// Parses the head of a request, and returns it with the length of its body.
fn head(bytes: &[u8]) -> Result<(Request, usize), Unread> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => {
            return Err(answer(431, "the request has too many headers"));
        }
        _ => return Err(answer(400, "this is no request of HTTP")),
    }
    let method = match parsed.method {
        Some("GET") => Method::Get,
        Some("POST") => Method::Post,
        _ => return Err(answer(405, "expected a request by GET or POST")),
    };
    let mut request = Request {
        method,
        path: String::new(),
        query: String::new(),
        host: None,
        origin: None,
        fetch_site: None,
        body: Vec::new(),
    };
    let (path, query) =
        parsed.path.map_or(("", ""), |path| path.split_once('?').unwrap_or((path, "")));
    (request.path, request.query) = (path.to_owned(), query.to_owned());
    let mut length = None;
    for header in parsed.headers.iter() {
        let text = || String::from_utf8_lossy(header.value).trim().to_owned();
        let once = |place: &mut Option<String>| match place.replace(text()) {
            None => Ok(()),
            Some(_) => Err(answer(400, "a header of the request appears twice")),
        };
        match header.name.to_ascii_lowercase().as_str() {
            "host" => once(&mut request.host)?,
            "origin" => once(&mut request.origin)?,
            "sec-fetch-site" => once(&mut request.fetch_site)?,
            "content-length" => once(&mut length)?,
            "transfer-encoding" => return Err(answer(501, "expected a body with its length")),
            _ => {}
        }
    }
    let is_number =
        |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let length = match length {
        None if method == Method::Post => {
            return Err(answer(411, "expected a body with its length"));
        }
        None => 0,
        Some(text) if is_number(&text) => text.parse().unwrap_or(usize::MAX),
        Some(_) => return Err(answer(400, "the length of the body is no number")),
    };
    match length {
        0..=MAX_BODY => Ok((request, length)),
        _ => Err(answer(413, "the text is larger than one megabyte, the limit of the studio")),
    }
}

/// Writes a response and closes the connection. Errors of the peer are ignored.
pub fn write(stream: &TcpStream, response: &Response) {
    let policy = if response.is_view { VIEW_POLICY } else { PAGE_POLICY };
    let head = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nContent-Security-Policy: {policy}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
        response.status,
        reason(response.status),
        response.kind,
        response.body.len(),
    );
    if send(stream, &[head.as_bytes(), &response.body].concat()).is_err() {
        return;
    }
    let _ = stream.shutdown(Shutdown::Write);
    if response.status >= 400 {
        // Closing a connection with unread bytes may lose the answer.
        let mut timed =
            Timed { stream, until: Instant::now() + DRAIN_TIME }.take(MAX_DRAINED as u64);
        let _ = std::io::copy(&mut timed, &mut std::io::sink());
    }
}

/// Begins a stream of events.
///
/// # Errors
/// If the peer is gone.
pub fn begin_events(stream: &TcpStream) -> Result<(), Error> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nContent-Security-Policy: {PAGE_POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n\
         retry: 1000\n\n"
    );
    send(stream, head.as_bytes())
}

/// Writes bytes as a whole within [`TIMEOUT`].
///
/// # Errors
/// If the peer is gone or does not read.
pub fn send(stream: &TcpStream, bytes: &[u8]) -> Result<(), Error> {
    let until = Instant::now() + TIMEOUT;
    let mut left = bytes;
    while !left.is_empty() {
        let time = until.saturating_duration_since(Instant::now());
        if time.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(time))?;
        match (&mut &*stream).write(left) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => left = &left[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The stream may be non-blocking for a moment, while its peer is checked.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Error",
    }
}
