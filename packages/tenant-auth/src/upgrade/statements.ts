/** A statement that an upgrade runs. */
export interface Statement {
	sql: string;
	/** Why it is run, in one line. */
	reason: string;
}

/**
 * Formats statements as a script that the database's own shell can run, with the reasons as comments.
 *
 * @example
 * ```ts
 * console.log(toSqlScript(await planUpgrade(options)));
 * ```
 */
export function toSqlScript({
	statements,
	storageEntries = 0,
}: {
	statements: Statement[];
	storageEntries?: number;
}): string {
	let previous = "";
	const lines = statements.flatMap(({ sql, reason }) => {
		const comment = reason === previous ? [] : ["", `-- ${reason}`];
		previous = reason;
		return [...comment, `${sql};`];
	});
	if (storageEntries > 0) {
		const entries = storageEntries === 1 ? "storage entry" : "storage entries";
		const keys = "tenant-suspended-<tenant id>";
		lines.push("", `-- The upgrade also deletes up to ${storageEntries} ${entries} (${keys})`);
	}
	return lines.slice(1).join("\n");
}
