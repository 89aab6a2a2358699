//! The studio: a page in the browser on which games are written, played and measured, and the
//! server behind it.
//!
//! One process serves one folder. Each tab has a desk: a text that is being written, and a game
//! that is being played under it ([`ludwright::desk`]). The library computes everything that a page
//! shows; this module only passes it on, as JSON. Each request is answered by a thread of its own.
//! Programs that choose a ply, and jobs, have threads that report by events.
//!
//! - `http`, `access`: requests, and who may make them. `api`: their names and answers. `events`:
//!   messages to the page.
//! - `thinking`: programs that play and estimate. `jobs`: playtests and analyses. `watch`: files
//!   that change between requests. `replay`: long games, under rules that change.
//! - `folder`, `drafts`: reading and writing games. `page`: the files of the page, as they are
//!   served.

mod access;
mod api;
mod assets;
pub mod command;
mod drafts;
mod events;
mod folder;
mod http;
mod jobs;
mod replay;
pub mod site;
mod thinking;
mod watch;

pub use ludwright::desk::Origin;

use access::Access;
use drafts::Drafts;
use events::Listeners;
use folder::Folder;
use http::{Method, Request, Response, Unread};
use ludwright::desk::{Desk, Draft};
use std::collections::VecDeque;
use std::io::Error;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most connections at a time, including those for events.
const MAX_CONNECTIONS: usize = 64;
/// The answer to connections over the limit.
const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\
    Content-Type: application/json\r\nContent-Length: 55\r\n\r\n\
    {\"error\":\"too many requests at a time; try again soon\"}";
/// The most desks in memory.
const MAX_DESKS: usize = 24;
/// The limits of pages kept from jobs: their number, and their bytes together.
const MAX_VIEWS: usize = 64;
const MAX_VIEW_BYTES: usize = 256 << 20;

/// The settings that a studio starts with.
pub struct Setup {
    pub folder: PathBuf,
    /// The file to be opened first, relative to the folder, or the name of a game that comes with
    /// the program.
    pub first: Option<Origin>,
    /// The port; 0 for any free port.
    pub port: u16,
    /// Whether nothing may be written to the folder.
    pub is_read_only: bool,
    /// Options of the game that is opened first.
    pub options: Vec<(String, String)>,
}

/// A studio with its socket.
pub struct Server {
    listener: TcpListener,
    studio: Arc<Studio>,
}

/// The state that all requests share.
pub struct Studio {
    access: Access,
    folder: Folder,
    drafts: Option<Drafts>,
    first: Option<Origin>,
    options: Vec<(String, String)>,
    is_read_only: bool,
    desks: Mutex<Vec<Arc<DeskCell>>>,
    views: Mutex<VecDeque<(String, Arc<[u8]>)>>,
    jobs: jobs::Jobs,
    connections: AtomicUsize,
}

/// A desk with the tabs that listen to it.
pub struct DeskCell {
    pub id: String,
    pub listeners: Listeners,
    /// The search of the program that is choosing a ply.
    search: Mutex<Option<thinking::Search>>,
    is_evaluating: AtomicBool,
    is_hinting: AtomicBool,
    desk: Mutex<Desk>,
    used: Mutex<Instant>,
}

/// Locks a mutex, also after another thread has panicked: the guarded data is checked again anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Opens the folder and the socket.
    ///
    /// # Errors
    /// If there is no such folder, the port is taken, or the system gives no random bytes.
    pub fn open(setup: Setup) -> Result<Server, Error> {
        let folder = Folder::new(&setup.folder)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, setup.port))?;
        let port = listener.local_addr()?.port();
        let studio = Studio {
            access: Access::new(port).map_err(|error| Error::other(error.to_string()))?,
            folder,
            drafts: Drafts::open(),
            first: setup.first,
            options: setup.options,
            is_read_only: setup.is_read_only,
            desks: Mutex::default(),
            views: Mutex::default(),
            jobs: jobs::Jobs::default(),
            connections: AtomicUsize::new(0),
        };
        Ok(Server { listener, studio: Arc::new(studio) })
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        self.studio.access.address()
    }

    /// Tests if drafts are kept.
    pub fn keeps_drafts(&self) -> bool {
        self.studio.drafts.is_some()
    }

    /// Serves until the process ends.
    pub fn serve(&self) {
        let studio = Arc::clone(&self.studio);
        let _ =
            std::thread::Builder::new().name("watch".to_owned()).spawn(move || watch::run(&studio));
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                // The cause may be temporary, such as too many open files.
                std::thread::sleep(std::time::Duration::from_millis(50));
                continue;
            };
            let studio = Arc::clone(&self.studio);
            if studio.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
                let _ = stream.set_write_timeout(Some(std::time::Duration::from_millis(100)));
                let _ = std::io::Write::write_all(&mut &stream, BUSY);
                studio.connections.fetch_sub(1, Ordering::AcqRel);
                continue;
            }
            let spawned = std::thread::Builder::new().name("request".to_owned()).spawn(move || {
                let _ = stream.set_nodelay(true);
                studio.answer(stream);
                studio.connections.fetch_sub(1, Ordering::AcqRel);
            });
            if spawned.is_err() {
                self.studio.connections.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }
}

impl Studio {
    /// Reads a request and answers it.
    fn answer(self: &Arc<Studio>, stream: TcpStream) {
        let request = match http::read(&stream) {
            Ok(request) => request,
            Err(Unread::Gone) => return,
            Err(Unread::Answer(response)) => return http::write(&stream, &response),
        };
        let response = match self.access.admit(&request) {
            // The address may belong to a studio that has ended.
            Err((status, message)) if request.method == Method::Get => {
                Response { status, ..Response::new("text/plain; charset=utf-8", message) }
            }
            Err((status, message)) => Response::error(status, message),
            Ok("events") => return self.send_events(stream, &request),
            Ok(rest) => self.respond(&request, rest),
        };
        http::write(&stream, &response);
    }

    fn respond(self: &Arc<Studio>, request: &Request, rest: &str) -> Response {
        match (request.method, rest.split_once('/')) {
            (Method::Post, Some(("api", name))) => match api::call(self, name, &request.body) {
                Ok(value) => Response::json(200, &value),
                Err(refused) => Response::error(refused.status, &refused.message),
            },
            (Method::Post, _) => Response::error(404, "there is no such request"),
            (Method::Get, None) if rest.is_empty() => assets::index(),
            (Method::Get, Some(("page", name))) => {
                assets::find(name).unwrap_or_else(|| Response::error(404, "there is no such file"))
            }
            (Method::Get, Some(("view", id))) => {
                match self.view(id).or_else(|| api::view(self, id)) {
                    Some(page) => Response {
                        is_view: true,
                        ..Response::new("text/html; charset=utf-8", page)
                    },
                    None => Response::error(404, "this report is no longer kept; ask for it again"),
                }
            }
            (Method::Get, _) => Response::error(404, "there is no such page"),
        }
    }

    fn send_events(self: &Arc<Studio>, stream: TcpStream, request: &Request) {
        let named = request.query.split('&').find_map(|pair| pair.strip_prefix("desk="));
        match named.and_then(|id| api::desk(self, id)) {
            Some(desk) if request.method == Method::Get => {
                thinking::wake(self, &desk);
                if lock(&desk.desk).evaluates {
                    thinking::evaluate(&desk);
                }
                desk.listeners.serve(stream);
            }
            _ => http::write(&stream, &Response::error(404, "there is no such desk")),
        }
    }

    /// Finds a desk in memory.
    fn find_desk(&self, id: &str) -> Option<Arc<DeskCell>> {
        let desks = lock(&self.desks);
        let found = desks.iter().find(|desk| desk.id == id)?;
        *lock(&found.used) = Instant::now();
        Some(Arc::clone(found))
    }

    /// Adds a desk. If there are too many, the least recently used one is removed from memory; it
    /// stays on the disk, and returns at its next request.
    fn add_desk(&self, id: String, draft: Draft) -> Result<Arc<DeskCell>, String> {
        let desk = Desk::new(draft, &self.folder);
        let cell = Arc::new(DeskCell {
            id,
            listeners: Listeners::default(),
            search: Mutex::default(),
            is_evaluating: AtomicBool::new(false),
            is_hinting: AtomicBool::new(false),
            desk: Mutex::new(desk),
            used: Mutex::new(Instant::now()),
        });
        let mut desks = lock(&self.desks);
        // Two requests of a tab may have found its desk missing at the same time.
        if let Some(known) = desks.iter().find(|desk| desk.id == cell.id) {
            return Ok(Arc::clone(known));
        }
        if desks.len() >= MAX_DESKS {
            let idle = desks
                .iter()
                .enumerate()
                .filter(|(_, desk)| !desk.listeners.has_listener())
                .min_by_key(|(_, desk)| *lock(&desk.used));
            let (index, _) = idle.ok_or("too many tabs are open; close one of them")?;
            let gone = desks.remove(index);
            self.keep(&gone.id, &mut lock(&gone.desk));
        }
        desks.push(Arc::clone(&cell));
        Ok(cell)
    }

    /// Saves the draft of a desk on the disk.
    fn keep(&self, id: &str, desk: &mut Desk) -> bool {
        desk.draft.when = drafts::now();
        self.drafts.as_ref().is_some_and(|drafts| drafts.keep(id, &desk.draft).is_ok())
    }

    /// Saves the played game of a file, before its desk goes on to another file.
    fn keep_beside(&self, draft: &Draft) {
        let (Some(drafts), Some(saved)) = (&self.drafts, &draft.disk) else { return };
        if let Ok(id) = access::random_name() {
            // If the disk is full, saving the desk itself fails too, and the page reports it.
            let _ = drafts.keep(&id, &Draft { text: saved.clone(), ..draft.clone() });
        }
    }

    /// Finds the game that was played last under the rules of a file, or of a game that comes with
    /// the program: at a desk, or in a draft of an earlier run.
    fn game_of(&self, origin: &Origin) -> Option<Draft> {
        let mut desks = lock(&self.desks).clone();
        desks.sort_by_key(|cell| std::cmp::Reverse(*lock(&cell.used)));
        let at_desk = desks.iter().find_map(|cell| {
            let desk = lock(&cell.desk);
            drafts::is_game_of(&desk.draft, &self.folder, origin).then(|| desk.draft.clone())
        });
        at_desk.or_else(|| self.drafts.as_ref()?.game_of(&self.folder, origin))
    }

    /// Keeps a page, and returns its name.
    fn add_view(&self, page: String) -> Option<String> {
        let id = access::random_name().ok()?;
        self.put_view(&id, page);
        Some(id)
    }

    /// Keeps a page under a name, replacing the previous page of that name.
    fn put_view(&self, id: &str, page: String) {
        let mut views = lock(&self.views);
        views.retain(|(known, _)| known != id);
        views.push_back((id.to_owned(), page.into_bytes().into()));
        let size = |views: &VecDeque<(String, Arc<[u8]>)>| -> usize {
            views.iter().map(|(_, page)| page.len()).sum()
        };
        while views.len() > MAX_VIEWS || views.len() > 1 && size(&views) > MAX_VIEW_BYTES {
            views.pop_front();
        }
    }

    fn view(&self, id: &str) -> Option<Vec<u8>> {
        let views = lock(&self.views);
        views.iter().find(|(known, _)| known == id).map(|(_, page)| page.to_vec())
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        self.folder.root()
    }
}
