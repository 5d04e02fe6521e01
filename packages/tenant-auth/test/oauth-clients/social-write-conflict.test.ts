import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";

type Row = Record<string, string | number | null>;

/** The first social sign-in of a person, on two servers at once: one of them loses a write conflict. */
describe("a first social sign-in that loses a write conflict", () => {
	const gitlab = useIdentityProvider("gitlab");

	/**
	 * @param start of the statement that loses
	 * @param hasWinner whether the user exists when the transaction starts again
	 */
	async function signInAndLose(start: string, hasWinner: boolean) {
		const hooked: string[] = [];
		const note = (table: string) => ({
			create: {
				before: async () => void hooked.push(`before ${table}`),
				after: async ({ id }: { id: string }) => void hooked.push(`after ${table} ${id}`),
			},
		});
		const app = await makeSocialApp({
			databaseHooks: { user: note("user"), account: note("account") },
		});
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const person = gitlab.addPerson({ email: `${crypto.randomUUID()}@example.com` });
		const signIn = async () => {
			const { browser, url } = await beginSocial(app, { tenantId, provider: "gitlab" });
			return { browser, visit: await browser.follow(url, { as: person }) };
		};
		// The winner's rows are taken away, and come back as if the other server had written them just now.
		await signIn();
		const { database } = app;
		const winner = ["user", "account"].map((table) => ({
			table,
			rows: database.prepare(`select * from "${table}"`).all() as Row[],
		}));
		for (const table of ["session", "account", "user"]) database.exec(`delete from "${table}"`);
		hooked.length = 0;

		const prepare = database.prepare.bind(database);
		let state: "before" | "lost" | "after" = "before";
		database.prepare = (sql: string) => {
			if (state === "before" && sql.startsWith(start)) {
				state = "lost";
				throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
			}
			if (state === "lost" && sql === "begin") {
				state = "after";
				for (const { table, rows } of hasWinner ? winner : []) {
					for (const row of notEmpty(rows)) insert(table, row);
				}
			}
			return prepare(sql);
		};
		const insert = (table: string, row: Row) => {
			const names = Object.keys(row).map((name) => `"${name}"`);
			const marks = names.map(() => "?");
			prepare(`insert into "${table}" (${names}) values (${marks})`).run(...Object.values(row));
		};
		const { browser, visit } = await signIn();
		expect(state).toBe("after");
		const userId = winner[0]?.rows[0]?.id;
		return { visit, hooked, userId, session: await readSession(browser), database };
	}

	it.each(['insert into "user"', 'insert into "account"', "commit"])(
		"enters as the user of the winner: %s",
		async (start) => {
			const { visit, session, userId, hooked, database } = await signInAndLose(start, true);
			expect(visit.url.pathname).toBe("/home");
			expect(session?.user.id).toBe(userId);
			expect(database.prepare('select * from "user"').all()).toHaveLength(1);
			expect(database.prepare('select * from "account"').all()).toHaveLength(1);
			// The user of the first attempt was never there.
			expect(hooked.filter((hook) => hook.startsWith("after"))).toEqual([]);
			expect(hooked.filter((hook) => hook === "before user")).toHaveLength(1);
		},
	);

	it("fails if there is no winner, and calls no hook twice", async () => {
		const { visit, session, hooked, database } = await signInAndLose(
			'insert into "account"',
			false,
		);
		expect(visit.url.searchParams.get("error")).toBe("WRITE_CONFLICT");
		expect(session).toBeNull();
		expect(database.prepare('select * from "user"').all()).toEqual([]);
		expect(hooked).toEqual(["before user", "before account"]);
	});
});
