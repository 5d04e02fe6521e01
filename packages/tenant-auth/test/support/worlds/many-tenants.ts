import type { Kysely } from "kysely";
import type { Rows } from "./instance";

/** Tenants that came by an import: as many in each moment as `moments` says. */
export async function importTenants(
	db: Kysely<Rows>,
	moments: { createdAt: unknown; count: number }[],
): Promise<void> {
	let made = 0;
	for (const { createdAt, count } of moments) {
		const rows = Array.from({ length: count }, () => {
			made += 1;
			const id = `${Math.random().toString(36).slice(2)}${made}`;
			return { id, name: `Team ${made}`, slug: `team-${made}`, createdAt, updatedAt: createdAt };
		});
		await db.insertInto("tenant").values(rows).execute();
	}
}
