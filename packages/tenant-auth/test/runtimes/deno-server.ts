import { DatabaseSync } from "node:sqlite";
import { makeHandler } from "./app.ts";
import { redirectHosts } from "./redirected-hosts.ts";

redirectHosts();
const handler = makeHandler({
	open: new DatabaseSync(":memory:"),
	guarded: new DatabaseSync(":memory:"),
});
const onListen = ({ port }: { port: number }) => console.log(`listening http://127.0.0.1:${port}`);
console.log(`package ${import.meta.resolve("better-auth-tenant")}`);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, handler);
