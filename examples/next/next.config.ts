import type { NextConfig } from "next";

// An example does not report to anybody.
process.env.NEXT_TELEMETRY_DISABLED = "1";

export default {
	// The server loads these from node_modules. Bundling them takes most of the time of a build.
	serverExternalPackages: ["better-auth", "better-auth-tenant", "kysely", "libsql"],
} satisfies NextConfig;
