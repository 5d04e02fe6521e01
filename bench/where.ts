import { Session } from "node:inspector/promises";
import { createHook } from "node:async_hooks";
import { answerForGitlab } from "./src/identity-provider";
import { openDatabase } from "./src/database";
import { makeHost } from "./src/host";
import { plainOperations, tenantOperations } from "./src/operations";
import { caller } from "./src/contestants";
import { seedDatabase } from "./src/seeding/seed-database";
import { openScratch } from "./src/scratch";
import * as pkg from "better-auth-tenant";
answerForGitlab();
const [, , ops = "get-session", subject = "tenant", mode = "fast", top = "0"] = process.argv;
const scratch = openScratch(undefined);
const population = subject === "tenant" ? { tenants: 100, users: 1000 } : { tenants: 1, users: 1000 };
const a = await scratch.create("sqlite");
await seedDatabase({ address: a, hash: "cheap", subject: subject as any, ...population });
const db = openDatabase(a); const auth = makeHost(db, { subject: subject as any }); await auth.$context;
const host = { handler: mode === "fast" ? (pkg as any).fastHandler(auth) : auth.handler };
const set: any = subject === "tenant" ? tenantOperations(host, population) : plainOperations(host, population);
let promises = 0; Error.stackTraceLimit = 30; const where = new Map<string, number>(); const hook = createHook({ init(_id, type) { if (type === "PROMISE") { promises += 1; const st = String(new Error().stack).split("\n").slice(2).map((l) => l.trim().replace(/file:\/\/.*node_modules\//, "").replace(/file:\/\/.*\/packages\//, "").replace(/^at /, "")).filter((l) => !l.includes("node:internal") && !l.includes("node:async_hooks") && !l.includes("<anonymous>")); const k = (st[0] ?? "?"); where.set(k, (where.get(k) ?? 0) + 1); } } });
for (const op of ops.split(";")) {
const c = op === "ok" ? caller(host, () => new Request("http://localhost:3000/api/auth/ok")) : op === "api" ? caller({ handler: async (r: Request) => Response.json(await auth.api.getSession({ headers: r.headers })) }, set["get-session"]) : caller(host, set[op]);
for (const call of await c.prepare(5)) await call();
const N = 20; const calls = await c.prepare(N); const more = await c.prepare(N);
hook.enable(); promises = 0; for (const call of more) await call(); hook.disable(); const pr = promises / N;
console.log([...where].map(([k, n]) => (n / N).toFixed(1) + "\t" + k).join("\n")); where.clear(); const s = new Session(); s.connect(); await s.post("Profiler.enable"); await s.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
for (const call of calls) await call();
const { result } = await s.post("Profiler.takePreciseCoverage"); await s.post("Profiler.stopPreciseCoverage"); s.disconnect();
let total = 0; const files = new Map<string, number>(), fns = new Map<string, number>();
for (const f of result) for (const fn of f.functions) { const n = fn.ranges[0]!.count; const url = f.url.replace(/.*node_modules\//, ""); if (!n) continue; total += n; files.set(url, (files.get(url) ?? 0) + n); const k = `${fn.functionName} ${url}@${fn.ranges[0]!.startOffset}`; fns.set(k, (fns.get(k) ?? 0) + n); }
console.log(`${op} ${subject} ${mode}: calls ${(total / N).toFixed(0)} promises ${pr.toFixed(0)}`);
const show = (m: Map<string, number>, k: number) => [...m].sort((x, y) => y[1] - x[1]).slice(0, k).map(([x, n]) => `  ${(n / N).toFixed(1).padStart(7)} ${x}`).join("\n");
if (Number(top)) { console.log(show(files, Number(top))); console.log(show(fns, Number(top) * 2)); }
}
await db.close(); await scratch.close(); process.exit(0);
