// The switches that stand in the code: which mutant is on, and which were come across.

/** More than any test comes across: only a loop that a mutant has made endless gets there. */
const ENDLESS = 5_000_000;

function makeSwitches() {
	let steps = 0;
	const see = (id: number) => {
		if (switches.active < 0) switches.hits.add(id);
		else if (++steps > ENDLESS) throw new Error("The mutant has made a loop endless");
	};
	const switches = {
		/** The mutant that is on, -1 for none. */
		active: -1,
		hits: new Set<number>(),
		/** What was come across since the last time. */
		takeHits: () => {
			const hits = [...switches.hits];
			switches.hits.clear();
			steps = 0;
			return hits;
		},
		__isOn: (id: number) => switches.active === id,
		__on: (id: number) => {
			see(id);
			return switches.active === id;
		},
		__flip: (id: number, value: unknown) => {
			see(id);
			return switches.active === id ? !value : value;
		},
		/** Notes one mutant if the value holds, and the other one if not. */
		__seeIf: (value: unknown, holds: number, fails: number, ifAbsent = false) => {
			const id = (ifAbsent ? value !== null && value !== undefined : value) ? holds : fails;
			if (id >= 0) see(id);
			return value;
		},
	};
	return switches;
}

/** The code finds them in the global scope. */
export const switches = makeSwitches();
Object.assign(globalThis, { __mutation: switches });
