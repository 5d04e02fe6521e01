import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeInstance } from "../../../tenant-auth/test/support/worlds/instance";
import { buildCommand, useProcess } from "./built-command";
import { makeCommandFolder } from "./command-folder";

/** What the built command must do in another runtime than Node. */
export function describeRuntime(runtime: () => readonly [string, ...string[]]): void {
	let app: ReturnType<typeof makeCommandFolder>;
	let installed: ReturnType<typeof useProcess>;

	beforeAll(() => {
		app = makeCommandFolder();
		installed = useProcess(buildCommand(), app.folder, runtime());
	});
	afterAll(() => app?.remove());

	it("upgrades a database, and imports users", async () => {
		expect(installed.run(["upgrade", "--yes"], "app.db")).toMatchObject({ status: 0, stderr: "" });
		expect(installed.run(["upgrade", "--yes"], "app.db").stdout).toContain("Nothing to do");
		await app.onFile("app.db", async (on) => {
			const { makeTenant } = await makeInstance({ on, plugins: [organization()] });
			await makeTenant("acme");
		});
		app.copyFixture("users.ndjson");
		const args = ["import", "users.ndjson", "--tenant", "acme", "--yes", "--json"];
		const { status, stdout } = installed.run(args, "app.db");
		expect([status, JSON.parse(stdout)]).toMatchObject([0, { created: 2, failed: 0 }]);
	});

	it("says what is wrong with its arguments", () => {
		expect(installed.run(["import"], "app.db")).toMatchObject({ status: 2, stdout: "" });
	});
}
