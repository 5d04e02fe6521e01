import type { Scratch } from "./scratch";

/** What every measurement is given. */
export interface Run {
	scratch: Scratch;
	/** Few rounds and few rows: shows that everything works, and no figures. */
	quick: boolean;
}

export interface Table {
	title: string;
	columns: string[];
	rows: (string | number)[][];
}

/** One thing that is measured. `results.json` keeps what it measured under its name. */
export interface Measurement<Data = unknown> {
	name: string;
	measure(run: Run): Promise<Data>;
	tables(data: Data): Table[];
	/** File name and content of the pictures that the documentation shows. */
	charts?(data: Data): Record<string, string>;
}
