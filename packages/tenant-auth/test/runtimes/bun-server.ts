import { Database } from "bun:sqlite";
import { makeHandler } from "./app.ts";
import { redirectHosts } from "./redirected-hosts.ts";

redirectHosts();
const handler = makeHandler({ open: new Database(":memory:"), guarded: new Database(":memory:") });
const { url } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler });
console.log(`package ${import.meta.resolve("better-auth-tenant")}`);
console.log(`listening ${url.origin}`);
