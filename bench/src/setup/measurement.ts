import type { Scratch } from "./scratch";

/** What every measurement gets. */
export interface Run {
	scratch: Scratch;
	/** Few rounds and few rows: shows that everything works. Its results are not figures. */
	quick: boolean;
	/** Whether an operation is measured: all are, unless `--operations` names some. */
	isWanted(operation: string): boolean;
	/** How many users are in the tenant that is listed: `--users`. */
	users?: number | undefined;
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
	/** The tables that the documentation shows, where those are fewer. */
	documented?(data: Data): Table[];
	/** File name and content of the charts that the documentation shows. */
	charts?(data: Data): Record<string, string>;
}
