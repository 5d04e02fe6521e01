import { expect, test } from "vitest";
import { breakableLine } from "./breakable-line";
import { asManager, newTenant, newUser, runningService } from "./running-service";

type MakeDatabase = () => Promise<string>;

/** What a database server has to be good for. */
export function behavesOnServer(makeDatabase: MakeDatabase): void {
	test("servers that start at once migrate in turns, and share everything", async () => {
		const environment = { DATABASE_URL: await makeDatabase(), DATABASE_POOL_SIZE: "3" };
		const servers = await Promise.all([0, 1, 2].map(() => runningService(environment)));
		const [one, two, three] = servers as [
			(typeof servers)[0],
			(typeof servers)[0],
			(typeof servers)[0],
		];
		const tenant = { "x-tenant-id": await newTenant(one.post) };
		const user = newUser("ada@example.com");
		expect((await two.post("/tenant/sign-up/email", user, tenant)).status).toBe(200);
		for (const { post } of servers) {
			expect((await post("/tenant/sign-in/email", user, tenant)).status).toBe(200);
			const wrong = { ...user, password: "wrong word" };
			expect((await post("/tenant/sign-in/email", wrong, tenant)).status).toBe(401);
		}
		// Each adds what it counted, at its end or when it is asked.
		await Promise.all([one.close(), two.close()]);
		const overview = await three.call("/service/overview", { headers: asManager });
		const { days, ...totals } = (await overview.json()) as { days: object[] };
		expect(totals).toEqual({ tenants: 1, users: 1 });
		expect(days.at(-1)).toMatchObject({ signIns: 3, failures: 3, signUps: 1 });
	});

	test("a database that is away makes the server unready, and is found again", async () => {
		const line = await breakableLine(await makeDatabase());
		const service = await runningService({ DATABASE_URL: line.url });
		const readiness = async () => (await service.call("/readyz")).status;
		expect(await readiness()).toBe(200);
		line.cut();
		const broken = await service.call("/readyz");
		expect(broken.status).toBe(503);
		expect(await broken.json()).toEqual({ status: "unavailable", checks: { database: "failed" } });
		line.mend();
		await expect.poll(readiness).toBe(200);
	});
}
