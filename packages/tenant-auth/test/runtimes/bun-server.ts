import { Database } from "bun:sqlite";
import { makeHandler, PACKAGES } from "./app.ts";
import { redirectHosts } from "./redirected-hosts.ts";

redirectHosts();
const open = () => new Database(":memory:");
const handler = makeHandler({ open: open(), guarded: open(), fast: open() });
const { url } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler });
for (const name of PACKAGES) console.log(`package ${import.meta.resolve(name)}`);
console.log(`listening ${url.origin}`);
