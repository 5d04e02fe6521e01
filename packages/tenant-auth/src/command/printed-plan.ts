import type { UpgradePlan } from "../upgrade";

const NAMES = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

export function describeCount({ database, statements }: UpgradePlan): string {
	return `${statements.length} statements on ${NAMES[database]}`;
}

/** A script that the database's own shell would run as well. */
export function toScript({ statements }: UpgradePlan): string {
	let above = "";
	const lines = statements.flatMap(({ sql, reason }) => {
		const comment = reason === above ? [] : ["", `-- ${reason}`];
		above = reason;
		return [...comment, `${sql};`];
	});
	return lines.slice(1).join("\n");
}
