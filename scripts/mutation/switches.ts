// Runs before each test file of a mutation check: turns the mutant on that this file is to meet, and
// notes how its tests end, and which mutants they come across.

import { appendFileSync } from "node:fs";
import { afterEach, beforeEach, inject, vi } from "vitest";

declare module "vitest" {
	interface ProvidedContext {
		/** One for each file that is run, in their order. */
		turns: { trial: number; mutant: number; isControl: boolean }[];
		noteTo: string;
	}
}

function makeSwitches() {
	const switches = {
		active: -1,
		turn: -1,
		hits: new Set<number>(),
		failed: new Set<string>(),
		__isOn: (id: number) => switches.active === id,
		__on: (id: number) => {
			switches.hits.add(id);
			return switches.active === id;
		},
		__flip: (id: number, value: unknown) => {
			switches.hits.add(id);
			return switches.active === id ? !value : value;
		},
		/** Notes one mutant if the value holds, and the other one if not. */
		__seeIf: (value: unknown, holds: number, fails: number, ifAbsent = false) => {
			const id = (ifAbsent ? value !== null && value !== undefined : value) ? holds : fails;
			if (id >= 0) switches.hits.add(id);
			return value;
		},
	};
	return switches;
}

const scope = globalThis as { __mutation?: ReturnType<typeof makeSwitches> };
scope.__mutation ??= makeSwitches();
const switches = scope.__mutation;
switches.turn += 1;
const { trial, mutant, isControl } = inject("turns")[switches.turn] ?? { trial: 0, mutant: -1 };
switches.active = mutant;
// A file may come again, and what runs when a module is loaded is to meet the mutant as well.
vi.resetModules();

// What runs outside of tests, in a `beforeAll` for example, may matter to every test of the file.
const outside = new Set<number>();
switches.hits.clear();
// A test may hold the clock.
const now = performance.now.bind(performance);
let startedAt = 0;

beforeEach(({ task, skip }) => {
	if (isControl && !switches.failed.has(task.id)) skip();
	if (!isControl && switches.failed.has(`trial ${trial}`)) skip();
	for (const id of switches.hits) outside.add(id);
	switches.hits.clear();
	startedAt = now();
});

afterEach(({ task: { id, name, file, result } }) => {
	const passed = result?.state !== "fail";
	if (!passed) switches.failed.add(id).add(`trial ${trial}`);
	const isLate = result?.errors?.some(({ message }) => /timed out/.test(message)) === true;
	const hits = mutant < 0 ? [...switches.hits] : [];
	const ms = Math.ceil(now() - startedAt);
	const note = { trial, id, name, file: file.filepath, ms, passed, isLate, isControl, hits };
	appendFileSync(
		inject("noteTo"),
		`${JSON.stringify({ ...note, outside: mutant < 0 ? [...outside] : [] })}\n`,
	);
	switches.hits.clear();
});
