/** A statement that an upgrade runs. */
export interface Statement {
	sql: string;
	/** Why, in a line. */
	reason: string;
}
