//! Says how far a deep check has searched.

use ludwright::analysis::BoardCoverage;
use ludwright::notation::counted;

/// Formats the coverage as text.
pub fn tell(looked: &[BoardCoverage], unreached: &[(String, String, usize)]) -> String {
    let mut text = String::new();
    for board in looked.iter().rev() {
        let options: Vec<String> =
            board.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let whole = if board.exhaustive { "all " } else { "" };
        let games = if board.games > 0 {
            format!(", {}", counted(board.games as u64, "random game"))
        } else {
            String::new()
        };
        let with =
            if options.is_empty() { String::new() } else { format!(" with {}", options.join(" ")) };
        let limits = if board.exhaustive { "" } else { "; not exhaustive" };
        let positions = counted(board.positions as u64, "position");
        let plies = counted(board.plies as u64, "ply");
        text.push_str(&format!("  searched {whole}{positions}{with}: {plies}{games}{limits}\n"));
    }
    if looked.is_empty() {
        text.push_str("  searched no position\n");
    }
    for (place, clause, _) in unreached {
        text.push_str(&format!("  note: no game in the search reached {clause}, {place}; the search was not exhaustive\n"));
    }
    text
}
