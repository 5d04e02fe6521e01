// Starts the first instance of a process, and prints its CPU time in ms, its tables and its methods.
// A process of its own, in plain JavaScript: nothing that runs here may be compiled meanwhile.

import { betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";

const plugins = process.argv[2] === "tenant" ? [tenantAuth] : [];
const before = process.cpuUsage();
const auth = betterAuth({
	baseURL: "http://localhost:3000",
	secret: "k3Wq9-Zt7Lm2Xv5Rb8Nc1Hd6Jf4Gs0Py",
	logger: { disabled: true },
	telemetry: { enabled: false },
	plugins: plugins.map((plugin) => plugin()),
});
const { tables } = await auth.$context;
const { user, system } = process.cpuUsage(before);
const cpu = (user + system) / 1000;
console.log(
	JSON.stringify({
		cpu,
		tables: Object.keys(tables).length,
		methods: Object.keys(auth.api).length,
	}),
);
