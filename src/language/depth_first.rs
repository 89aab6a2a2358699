//! Depth-first search of what declarations use, without recursion, so that long chains do not
//! overflow the stack.

/// The nodes of a graph that were reached.
pub(super) struct Search {
    /// Each after those that it leads to, except along cycles.
    pub order: Vec<usize>,
    /// The cycles that were met, each node before the next, and the last before the first.
    pub cycles: Vec<Vec<usize>>,
}

impl Search {
    /// Searches a graph of `count` nodes from some of them, in their order.
    pub(super) fn from<'l>(
        starts: impl IntoIterator<Item = usize>,
        count: usize,
        links: impl Fn(usize) -> &'l [usize],
    ) -> Search {
        let mut search = Search { order: Vec::new(), cycles: Vec::new() };
        let mut is_met = vec![false; count];
        let mut is_on_path = vec![false; count];
        for start in starts {
            // Each node of the path, with the number of its links already followed.
            let mut path: Vec<(usize, usize)> = Vec::new();
            let mut entered = Some(start).filter(|start| !is_met[*start]);
            loop {
                if let Some(node) = entered.take() {
                    path.push((node, 0));
                    is_met[node] = true;
                    is_on_path[node] = true;
                }
                let Some((node, followed)) = path.last_mut() else { break };
                match links(*node).get(*followed) {
                    Some(&next) => {
                        *followed += 1;
                        if is_on_path[next] {
                            let on_path = path.iter().map(|(node, _)| *node);
                            search.cycles.push(on_path.skip_while(|node| *node != next).collect());
                        } else if !is_met[next] {
                            entered = Some(next);
                        }
                    }
                    None => {
                        is_on_path[*node] = false;
                        search.order.push(*node);
                        path.pop();
                    }
                }
            }
        }
        search
    }
}
