//! Events that the program sends to the tab of a desk, as they happen.

use super::http;
use serde_json::Value;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The most events that wait for a tab. A tab that does not read them is disconnected; it connects
/// again and requests the current state.
const MAX_WAITING: usize = 256;
/// The most tabs that listen to one desk.
const MAX_LISTENERS: usize = 4;
/// The interval of messages without events, which detect closed tabs.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The tabs that listen to a desk.
#[derive(Default)]
pub struct Listeners(Mutex<Vec<Listener>>);

struct Listener {
    sender: SyncSender<Arc<str>>,
    stream: Arc<TcpStream>,
}

impl Listeners {
    /// Sends an event to all tabs.
    pub fn send(&self, event: &str, data: &Value) {
        let text: Arc<str> = format!("event: {event}\ndata: {data}\n\n").into();
        let mut listeners = super::lock(&self.0);
        listeners.retain(|listener| listener.sender.try_send(Arc::clone(&text)).is_ok());
    }

    /// Tests if an open tab listens.
    pub fn has_listener(&self) -> bool {
        let mut listeners = super::lock(&self.0);
        listeners.retain(|listener| is_open(&listener.stream));
        !listeners.is_empty()
    }

    /// Sends events to a tab until it is gone.
    pub fn serve(&self, stream: TcpStream) {
        let stream = Arc::new(stream);
        let Some(receiver) = self.add(Arc::clone(&stream)) else { return };
        if http::begin_events(&stream).is_err() {
            return;
        }
        loop {
            let sent = match receiver.recv_timeout(HEARTBEAT) {
                Ok(event) => http::send(&stream, event.as_bytes()),
                Err(RecvTimeoutError::Timeout) => http::send(&stream, b": \n\n"),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if sent.is_err() {
                break;
            }
        }
        super::lock(&self.0).retain(|listener| !Arc::ptr_eq(&listener.stream, &stream));
    }

    fn add(&self, stream: Arc<TcpStream>) -> Option<Receiver<Arc<str>>> {
        let (sender, receiver) = sync_channel(MAX_WAITING);
        let mut listeners = super::lock(&self.0);
        listeners.retain(|listener| is_open(&listener.stream));
        if listeners.len() == MAX_LISTENERS {
            return None;
        }
        listeners.push(Listener { sender, stream });
        Some(receiver)
    }
}

/// Tests if the peer keeps the connection open.
fn is_open(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return false;
    }
    let peeked = stream.peek(&mut [0]);
    let open = match peeked {
        Ok(count) => count > 0,
        Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
    };
    stream.set_nonblocking(false).is_ok() && open
}
