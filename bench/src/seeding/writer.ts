import type { Value } from "./tables";

/** Writes many rows of a table at once. */
export interface Writer {
	/** Whether rows come in the order of their ids. */
	sortsById?: boolean;
	write(table: string, columns: string[], rows: Value[][]): Promise<void>;
	/** Puts indexes back, and lets the planner know what is there now. */
	finish(): Promise<void>;
}
