import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { importCode } from "../support/processes/import-code";

const document = readFileSync(new URL("../../../../docs/frameworks.md", import.meta.url), "utf8");
const [, cors = ""] = document.split("## CORS");
const blocks = [...cors.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code);

type Handler = (request: Request) => Response | Promise<Response>;
interface Recipe {
	app?: { fetch: Handler };
	withCors?: (handler: Handler) => Handler;
}

const answer: Handler = () => new Response("[]", { headers: { "x-total-count": "0" } });
const auth = `const auth = { handler: ${answer} };`;

const recipes: [string, (recipe: Recipe) => Handler | undefined][] = [
	["hono", ({ app }) => app?.fetch],
	["withCors", ({ withCors }) => withCors?.(answer)],
];

describe.each(recipes)("the CORS recipe with %s", (name, handlerOf) => {
	const send = async (method: string, headers: Record<string, string> = {}) => {
		const code = blocks.find((block) => block.includes(name)) ?? "";
		const recipe = await importCode(code.replace(/^import \{ auth \}.*$/m, auth));
		const handler = handlerOf(recipe);
		if (!handler) throw new Error(`no recipe with ${name}`);
		return handler(
			new Request("https://auth.example.com/api/auth/tenant/list", {
				method,
				headers: { origin: "https://app.example.com", ...headers },
			}),
		);
	};

	it("lets a browser send the tenant header", async () => {
		const { status, headers } = await send("OPTIONS", {
			"access-control-request-method": "POST",
			"access-control-request-headers": "content-type,x-tenant-id",
		});
		expect(status).toBe(204);
		expect(headers.get("access-control-allow-origin")).toBe("https://app.example.com");
		expect(headers.get("access-control-allow-credentials")).toBe("true");
		expect(headers.get("access-control-allow-methods")).toContain("POST");
		expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-tenant-id");
	});

	it("lets a browser read the total and the cursor of a list", async () => {
		const { headers } = await send("GET");
		const exposed = headers.get("access-control-expose-headers")?.split(/, */);
		expect(exposed).toEqual(["x-total-count", "x-next-cursor"]);
		expect(headers.get("access-control-allow-origin")).toBe("https://app.example.com");
		expect(headers.get("x-total-count")).toBe("0");
	});
});

it("every CORS recipe names the same headers", () => {
	expect(blocks).toHaveLength(3);
	for (const block of notEmpty(blocks)) {
		expect(block).toMatch(/Content-Type"?, "?Authorization"?, "?x-tenant-id/);
		expect(block).toMatch(
			/(exposeHeaders|exposedHeaders|Expose-Headers)"?: \[?"x-total-count"?, "?x-next-cursor"/,
		);
	}
});
