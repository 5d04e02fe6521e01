import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { describe, expect, test, vi } from "vitest";
import { generateSchema } from "../../tenant-auth/test/support/processes/better-auth-cli";
import { FRAMEWORKS } from "../src/frameworks";

// The templates open a file, and Better Auth would check its tables.
vi.mock("libsql", () => ({ default: class {} }));
vi.mock("better-auth", async (original) => ({ ...(await original()), betterAuth: () => ({}) }));

const databases = fileURLToPath(new URL("../databases", import.meta.url));

/** Templates with tables of their own. */
const OWN_SCHEMAS = ["hono-react"];

/** It has the options of Express. Its files cannot be loaded before SvelteKit has written a tsconfig. */
const frameworks = Object.keys(FRAMEWORKS).filter((framework) => framework !== "sveltekit");

describe.each(frameworks)("the Drizzle schema of an app with %s", (framework) => {
	// To write the files: `npx vitest run drizzle-schema --update`. Then, in a created app, `npm run generate`
	// writes the migration.
	test("is what Better Auth's command generates for its options", async () => {
		const template = `../../../examples/${framework}/src/auth.ts`;
		const { options } = await import(/* @vite-ignore */ template);
		const adapter = drizzleAdapter({}, { provider: "pg", schema: {} });
		const code = await generateSchema(adapter, options);
		expect(code).toContain('"tenant_oauth_config"');
		const folder = OWN_SCHEMAS.includes(framework)
			? `drizzle-postgres.${framework}`
			: "drizzle-postgres";
		await expect(code).toMatchFileSnapshot(join(databases, folder, "src/auth-schema.ts"));
	});
});
