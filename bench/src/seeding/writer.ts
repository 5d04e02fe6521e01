import { typeOf } from "../database";
import { openPostgresWriter } from "./postgres-writer";
import { openSqliteWriter } from "./sqlite-writer";
import type { Value } from "./tables";

/** Writes many rows of a table at once. */
export interface Writer {
	write(table: string, columns: string[], rows: Value[][]): Promise<void>;
	/** Puts indexes back, and lets the planner know what is there now. */
	finish(): Promise<void>;
}

export const openWriter = (address: string): Promise<Writer> =>
	typeOf(address) === "sqlite" ? openSqliteWriter(address) : openPostgresWriter(address);
