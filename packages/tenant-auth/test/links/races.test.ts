import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { type LinkedApp, makeLinkedUsers } from "../support/worlds/linked-users";

/** The titles are those of the table in docs/linked-users.md. */

const ROUNDS = 6;

describe.each(eachDatabase)("races of linked users on %s", (_, open) => {
	let on: OpenDatabase;
	let app: LinkedApp;

	beforeAll(async () => {
		on = await open();
		app = await makeLinkedUsers({ on });
	});
	afterAll(() => on?.close());

	const countEvents = async (tenantId: string, action: string) =>
		(await app.eventsOf(tenantId)).filter((event) => event.action === action).length;

	it("Two pages finish the same link", async () => {
		const { a, b } = app;
		for (let round = 0; round < ROUNDS; round += 1) {
			const browser = app.open();
			await browser.signIn(a);
			const { body } = await browser.start();
			await browser.signIn(b);
			const before = [await countEvents(a, "link:add"), await countEvents(b, "link:add")];
			const pages = [browser, browser.copy(), browser.copy()];
			const finished = await Promise.all(pages.map((page) => page.finish(body.linkCode)));
			expect(finished.map(({ status, body }) => [status, body.code])).toEqual(
				pages.map(() => [200, undefined]),
			);
			const after = [await countEvents(a, "link:add"), await countEvents(b, "link:add")];
			expect(after).toEqual(before.map((count) => count + 1));
			for (const page of notEmpty(pages)) {
				expect(await page.list()).toHaveLength(2);
				expect((await page.switchTo(a)).status).toBe(200);
			}
		}
	});

	it("A link is ended while another browser switches", async () => {
		const { a, b } = app;
		for (let round = 0; round < ROUNDS; round += 1) {
			const browser = await app.openLinked();
			const other = await app.openLinked();
			await other.switchTo(a);
			const entered = await countEvents(a, "link:enter");
			const [switched, ended] = await Promise.all([
				browser.switchTo(a),
				other.send("/tenant/link/end", {}),
			]);
			expect(ended.body).toEqual({ success: true });
			const isFirst = switched.status === 200;
			expect([switched.status, switched.body.code]).toEqual(
				isFirst ? [200, undefined] : [404, "LINK_NOT_FOUND"],
			);
			expect(await countEvents(a, "link:enter")).toBe(entered + (isFirst ? 1 : 0));
			expect(await browser.current()).toBe(isFirst ? a : b);
			// Whoever was first: the link is over.
			expect((await browser.switchTo(isFirst ? b : a)).status).toBe(404);
			expect(await browser.list()).toEqual([]);
		}
	});
});
