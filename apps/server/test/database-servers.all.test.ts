import * as openid from "openid-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { lockJob } from "../src/database/job-schedule";
import { breakableConnection } from "./breakable-connection";
import { databaseServers } from "./database-servers";
import { logoCalls } from "./logo-calls";
import { newOperator } from "./operator-accounts";
import { API, connect, runningIssuers, signInAt } from "./running-issuers";
import { asManager, newTenant, newUser, runningService } from "./running-service";
import { png } from "./sample-images";

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`the service on ${name}`, () => {
		test("servers that start at the same time migrate in turns and share all data", async () => {
			const environment = { DATABASE_URL: await createDatabase(), DATABASE_POOL_SIZE: "3" };
			const servers = await Promise.all([0, 1, 2].map(() => runningService(environment)));
			const [one, two, three] = servers as [
				(typeof servers)[0],
				(typeof servers)[0],
				(typeof servers)[0],
			];
			const tenant = { "x-tenant-id": await newTenant(one.post) };
			const user = newUser("ada@example.com");
			expect((await two.post("/tenant/sign-up/email", user, tenant)).status).toBe(200);
			for (const { post } of notEmpty(servers)) {
				expect((await post("/tenant/sign-in/email", user, tenant)).status).toBe(200);
				const wrong = { ...user, password: "wrong word" };
				expect((await post("/tenant/sign-in/email", wrong, tenant)).status).toBe(401);
			}
			// All have the clock of this machine.
			expect(await one.backend.metrics.text()).toMatch(
				/^auth_clock_offset_seconds\{store="database"\} -?0(\.0\d+)?$/m,
			);
			// A server writes its counts when it stops or when it lists them.
			await Promise.all([one.close(), two.close()]);
			const overview = await three.call("/service/overview", { headers: asManager });
			const { days, ...totals } = (await overview.json()) as { days: object[] };
			expect(totals).toEqual({ tenants: 1, users: 1 });
			expect(days.at(-1)).toMatchObject({ signIns: 3, failures: 3, signUps: 1 });
		});

		test("an app signs a user in, and its tokens are refreshed, revoked and deleted", async () => {
			const issuers = await runningIssuers(onTestFinished, {
				DATABASE_URL: await createDatabase(),
			});
			const tenant = await issuers.newTenant("acme");
			const { tenantId } = tenant;
			const application = await issuers.createApplication(tenantId, {
				allowedOrigins: ["https://app.example.com"],
			});
			const config = await connect(tenant, application);
			const { tokens } = await signInAt(issuers, tenant, config, { resource: API });
			expect(tokens.claims()).toMatchObject({ sub: tenant.userId, tenant_id: tenantId });
			const first = tokens.refresh_token ?? "";
			const next = await openid.refreshTokenGrant(config, first);
			expect(await openid.fetchUserInfo(config, next.access_token, tenant.userId)).toMatchObject({
				email: tenant.email,
			});
			// The app may not have got the answer.
			const again = await openid.refreshTokenGrant(config, first);
			expect(again.refresh_token).toBe(next.refresh_token);
			await openid.tokenRevocation(config, again.refresh_token ?? "");
			await expect(openid.refreshTokenGrant(config, again.refresh_token ?? "")).rejects.toThrow();
			const { clientId } = application;
			const body = { tenantId, clientId, name: "Other" };
			expect(await issuers.manage("/tenant/application/update", body)).toMatchObject({
				name: "Other",
				allowedOrigins: ["https://app.example.com"],
			});
			await signInAt(issuers, tenant, config);
			await issuers.manage("/tenant/application/delete", { tenantId, clientId });
			await issuers.manage("/tenant/delete", { tenantId });
		});

		test("metadata of users and tenants is in the tokens of an application", async () => {
			const issuers = await runningIssuers(onTestFinished, {
				DATABASE_URL: await createDatabase(),
			});
			const tenant = await issuers.newTenant("acme", { metadata: { plan: "pro" } });
			const { tenantId, userId } = tenant;
			const department = "ünïcödé \u0000 🙂";
			// As much as is allowed.
			const metadata = { department, rest: "ñ".repeat(2000) };
			const changes = { tenantId, userId, metadata, preferences: { locale: "ja" } };
			expect(await issuers.manage("/tenant/user-metadata/update", changes)).toEqual({
				...{ metadata, preferences: { locale: "ja" } },
			});
			const application = await issuers.createApplication(tenantId, {
				claims: {
					department: "user.metadata.department",
					locale: "user.preferences.locale",
					plan: "tenant.metadata.plan",
				},
			});
			const config = await connect(tenant, application);
			const scope = "openid email roles";
			const { tokens } = await signInAt(issuers, tenant, config, { scope, resource: API });
			const claims = { department, locale: "ja", plan: "pro", roles: ["member"] };
			expect(tokens.claims()).toMatchObject({ ...claims, email: tenant.email });
			const info = await openid.fetchUserInfo(config, tokens.access_token, userId);
			expect(info).toMatchObject(claims);
		});

		test("answers at a sign-up are stored with the user", async () => {
			const service = await runningService({ DATABASE_URL: await createDatabase() });
			const tenantId = await newTenant(service.post);
			const choices = ["Ventas", "営業部"];
			const fields = [{ name: "unit", label: "部署 🙂", type: "choice", required: true, choices }];
			const set = { tenantId, fields };
			const stored = await service.post("/tenant/sign-up-fields/set", set, asManager);
			expect([stored.status, await stored.json()]).toEqual([200, { fields }]);
			const metadata = { signUp: { unit: "営業部" } };
			const user = { ...newUser("ada@acme.example"), metadata };
			const named = { "x-tenant-id": tenantId };
			const response = await service.post("/tenant/sign-up/email", user, named);
			const { user: created } = (await response.json()) as { user: { id: string } };
			const query = new URLSearchParams({ tenantId, userId: created.id });
			const path = `/api/auth/tenant/user-metadata/get?${query}`;
			const found = await service.call(path, { headers: asManager });
			expect(await found.json()).toEqual({ metadata, preferences: {} });
		});

		test("the text of a mail is changed by several servers at once, used in the next mail, and reset", async () => {
			const environment = {
				DATABASE_URL: await createDatabase(),
				REQUIRE_EMAIL_VERIFICATION: "true",
			};
			const [one, two] = [await runningService(environment), await runningService(environment)];
			const tenantId = await newTenant(one.post);
			const name = { kind: "verification", language: "en" };
			const text = `{{greeting}}\n\n${"ñ".repeat(4900)}\n\n{{link}}`;
			for (const [path, whose] of [
				["/tenant/mail-template", { tenantId }],
				["/operator/mail-template", {}],
			] as const) {
				const body = { ...whose, ...name, subject: "Hi {{name}} 👋", text, button: "Go" };
				const answers = await Promise.all(
					[one, two, one, two].map(({ post }) => post(`${path}/set`, body, asManager)),
				);
				expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
			}
			// The mail is sent in the transaction of the sign-up.
			const headers = { "x-tenant-id": tenantId };
			const signUp = async (email: string) => {
				await two.post("/tenant/sign-up/email", newUser(email), headers);
				return (await two.backend.mailer.outbox?.list())?.[0];
			};
			expect(await signUp("ada@example.com")).toMatchObject({
				to: "ada@example.com",
				subject: "Hi Ada 👋",
				text: expect.stringContaining("ñ".repeat(4900)),
			});
			await one.post("/tenant/mail-template/reset", { tenantId, ...name }, asManager);
			await one.post("/operator/mail-template/reset", name, asManager);
			expect((await signUp("bob@example.com"))?.subject).toBe("acme: verify your email");
			expect(two.log()).not.toContain("templates of mails could not be read");
		});

		test("an application of all tenants works at each, and outlives a tenant", async () => {
			const issuers = await runningIssuers(onTestFinished, {
				DATABASE_URL: await createDatabase(),
			});
			const [acme, globex] = [await issuers.newTenant("acme"), await issuers.newTenant("globex")];
			const application = await issuers.createServiceApplication();
			const ofAcme = await connect(acme, application);
			const ofGlobex = await connect(globex, application);
			const { tokens } = await signInAt(issuers, acme, ofAcme);
			const other = (await signInAt(issuers, globex, ofGlobex)).tokens;
			expect(other.claims()?.tenant_id).toBe(globex.tenantId);
			await expect(
				openid.refreshTokenGrant(ofGlobex, tokens.refresh_token ?? ""),
			).rejects.toThrow();
			await issuers.manage("/tenant/delete", { tenantId: globex.tenantId });
			const next = await openid.refreshTokenGrant(ofAcme, tokens.refresh_token ?? "");
			expect(next.claims()?.tenant_id).toBe(acme.tenantId);
			const { clientId } = application;
			await issuers.manage("/operator/application/delete", { clientId });
			await expect(openid.tokenIntrospection(ofAcme, next.access_token)).rejects.toThrow();
		});

		test("operators and keys work, and two owners cannot remove each other", async () => {
			const environment = { DATABASE_URL: await createDatabase() };
			const [one, two] = [await runningService(environment), await runningService(environment)];
			const ada = await newOperator(one, "owner", "ada@example.com");
			const grace = await newOperator(two, "owner", "grace@example.com");
			const body = { name: "ci", scopes: ["auditor"] };
			const created = await one.post("/operator/key/create", body, grace.headers);
			const { key, id } = (await created.json()) as { key: string; id: string };
			const headers = { authorization: `Bearer ${key}` };
			expect((await two.call("/api/auth/tenant/list", { headers })).status).toBe(200);
			expect((await one.post("/operator/key/revoke", { id }, ada.headers)).status).toBe(200);
			expect((await two.call("/api/auth/tenant/list", { headers })).status).toBe(403);

			const answers = await Promise.all([
				one.post("/operator/remove", { userId: grace.id }, ada.headers),
				two.post("/operator/update", { userId: ada.id, role: "auditor" }, grace.headers),
			]);
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
			expect(answers.filter(({ status }) => status >= 500)).toHaveLength(0);
			const operators = await one.backend.auth.api.listOperators();
			expect(operators.filter(({ role }) => role === "owner")).toHaveLength(1);
		});

		test("a logo is shared by all servers, and uploads at the same time leave one", async () => {
			const environment = { DATABASE_URL: await createDatabase() };
			const [one, two] = [await runningService(environment), await runningService(environment)];
			const tenantId = await newTenant(one.post);
			// As many bytes as a logo may have.
			const large = Buffer.concat([png(), Buffer.alloc(250 * 1024, 7)]);
			const { logoUrl } = (await logoCalls(one).upload(tenantId, large)).body;
			const read = await two.call(logoUrl);
			expect(Buffer.from(await read.arrayBuffer()).equals(large)).toBe(true);

			const uploads = await Promise.all(
				[1, 2, 3, 4].map((width) =>
					logoCalls(width % 2 ? one : two).upload(tenantId, png({ width })),
				),
			);
			expect(uploads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
			const { metadata } = await logoCalls(two).tenantOf(tenantId);
			const found = await Promise.all(
				uploads.map(async ({ body }) => (await one.call(body.logoUrl)).status === 200),
			);
			const kept = uploads.filter((_, index) => found[index]).map(({ body }) => body.logoUrl);
			expect(kept).toEqual([metadata?.branding?.logoUrl]);
			await one.post("/tenant/delete", { tenantId }, asManager);
			expect((await two.call(kept[0] ?? "")).status).toBe(404);
		});

		test("the server is not ready while the database does not answer, and reconnects", async () => {
			const connection = await breakableConnection(await createDatabase());
			const service = await runningService({ DATABASE_URL: connection.url });
			const readiness = async () => (await service.call("/readyz")).status;
			expect(await readiness()).toBe(200);
			connection.interrupt();
			const broken = await service.call("/readyz");
			expect(broken.status).toBe(503);
			expect(await broken.json()).toEqual({
				status: "unavailable",
				checks: { database: "failed" },
			});
			connection.restore();
			await expect.poll(readiness).toBe(200);
		});

		test("how a job ended on one server is known to the others", async () => {
			const environment = { DATABASE_URL: await createDatabase() };
			const [one, two] = [await runningService(environment), await runningService(environment)];
			const lastRun = async ({ call }: typeof one) => {
				const answer = await call("/service/jobs", { headers: asManager });
				const { jobs } = (await answer.json()) as { jobs: { name: string; lastRun: unknown }[] };
				return jobs.find(({ name }) => name === "clean-up")?.lastRun;
			};
			expect(await lastRun(two)).toBeNull();
			const started = Date.now();
			const report = await one.jobs.run("clean-up");
			const first = await lastRun(two);
			expect(first).toEqual({
				finishedAt: expect.any(String),
				seconds: expect.any(Number),
				hasFailed: false,
				report,
			});
			const { finishedAt } = first as { finishedAt: string };
			expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(started);
			// The next run replaces it.
			const { schema } = two.backend.database.db;
			await schema.alterTable("session").renameTo("gone").execute();
			await expect(two.jobs.run("clean-up")).rejects.toThrow();
			await schema.alterTable("gone").renameTo("session").execute();
			expect(await lastRun(one)).toMatchObject({ hasFailed: true, report: {} });
		});

		test("of several servers, one does a job, and another one when it is due", async () => {
			const environment = { DATABASE_URL: await createDatabase(), DATABASE_POOL_SIZE: "3" };
			const servers = await Promise.all([0, 1, 2].map(() => runningService(environment)));
			const takeAll = async () => {
				const locks = await Promise.all(
					servers.map(({ backend }) => lockJob(backend.database, "clean-up")),
				);
				return locks.filter((lock) => lock !== null);
			};
			const [lock, ...others] = await takeAll();
			expect([lock === undefined, others]).toEqual([false, []]);
			expect(await takeAll()).toEqual([]);
			await lock?.release(0);
			expect(await takeAll()).toHaveLength(1);
		});
	});
}
