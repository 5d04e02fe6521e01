import type { OpenDatabase } from "../../support/databases/databases";
import type { RawRows } from "../../support/databases/raw-rows";
import type { Answer, Instance, InstanceOptions } from "../../support/worlds/instance";

/** What a database cannot do, or is not asked to. */
export type Lack =
	/** Two rows with one key are both kept. */
	| "unique indexes"
	/** What was half done stays, and others see it. */
	| "transactions"
	/** Its tables are not made by Better Auth's migrations. */
	| "migrations";

/** Sent by the host: the last one is the one that a test has just caused. */
export interface Mail {
	user: { email: string };
	url: string;
	token: string;
}

/** One database with one host on it, which all tests of a suite share: each makes tenants of its own. */
export interface Stage {
	readonly on: OpenDatabase;
	readonly rows: RawRows;
	readonly instance: Instance;
	readonly mails: Mail[];
	/** What the host has logged. */
	readonly errors: string[];
	/** For a host with other settings on the same database. */
	options(): InstanceOptions;
	newAddress(): string;
	/** The id of a row that is made past Better Auth: none where the database counts. */
	newId(): { id?: string };
}

export const password = "correct horse battery";
export const RACERS = 12;

/** Runs `work` so often at once. */
export const atOnce = (work: (n: number) => Promise<Answer>): Promise<Answer[]> =>
	Promise.all(Array.from({ length: RACERS }, (_, n) => work(n)));

export const countOf = (answers: Answer[], status: number) =>
	answers.filter((answer) => answer.status === status).length;

export const randomSlug = () => `race-${Math.random().toString(36).slice(2, 10)}`;
