import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { services } from "../../../../testing/services";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile } from "./deploy-files";

const promtool = (...args: string[]) => {
	const { status, stdout, stderr } = spawnSync(String(services.promtool), args, {
		encoding: "utf8",
	});
	return { status, output: stdout + stderr };
};

/** Metrics once a minute, and the alerts that they lead to after half an hour. */
const situations: Record<string, { series: Record<string, string>; alerts: string[] }> = {
	"a server is down": {
		series: { 'up{job="tenant-auth",instance="a"}': "0x40" },
		alerts: ["TenantAuthDown"],
	},
	"everything is well": {
		series: {
			'up{job="tenant-auth",instance="a"}': "1x40",
			'http_requests_total{job="tenant-auth",instance="a",route="/api/auth/get-session",status="2xx"}':
				"0+600x40",
			'http_requests_total{job="tenant-auth",instance="a",route="/readyz",status="2xx"}': "0+12x40",
			'auth_store_up{job="tenant-auth",instance="a",store="database"}': "1x40",
			'auth_store_up{job="tenant-auth",instance="a",store="redis"}': "1x40",
			'auth_mail_configured{job="tenant-auth",instance="a"}': "1x40",
			'auth_saml_tenants{job="tenant-auth",instance="a",state="ok"}': "3x40",
			'auth_saml_tenants{job="tenant-auth",instance="a",state="expiring"}': "0x40",
			'auth_jobs_total{job="tenant-auth",instance="a",name="clean-up",outcome="failed"}': "0x40",
			'http_requests_refused_total{job="tenant-auth",instance="a",status="503"}': "0x40",
			'auth_mails_total{job="tenant-auth",instance="a",outcome="failed"}': "0x40",
			'auth_sign_ins_total{job="tenant-auth",instance="a",outcome="ok"}': "0+60x40",
			'auth_sign_ins_total{job="tenant-auth",instance="a",outcome="failed"}': "0+90x40",
		},
		alerts: [],
	},
	"PostgreSQL is away": {
		series: {
			'auth_store_up{job="tenant-auth",instance="a",store="database"}': "0x40",
			'auth_store_up{job="tenant-auth",instance="a",store="redis"}': "1x40",
			'http_requests_total{job="tenant-auth",instance="a",route="/api/auth/get-session",status="2xx"}':
				"0+600x40",
			'http_requests_total{job="tenant-auth",instance="a",route="/api/auth/sign-in/email",status="5xx"}':
				"0+60x40",
		},
		alerts: ["TenantAuthErrors", "TenantAuthStoreUnavailable"],
	},
	"Redis is away": {
		series: {
			'auth_store_up{job="tenant-auth",instance="a",store="database"}': "1x40",
			'auth_store_up{job="tenant-auth",instance="a",store="redis"}': "0x40",
		},
		alerts: ["TenantAuthStoreUnavailable"],
	},
	"SMTP_URL is not set": {
		series: { 'auth_mail_configured{job="tenant-auth",instance="a"}': "0x40" },
		alerts: ["TenantAuthEmailsOff"],
	},
	"a job fails": {
		series: {
			'auth_jobs_total{job="tenant-auth",instance="a",name="clean-up",outcome="failed"}':
				"0x20 1x20",
		},
		alerts: ["TenantAuthJobsFail"],
	},
	"the log collector is away": {
		series: {
			'auth_event_stream_lag_seconds{job="tenant-auth",instance="a"}': "0+60x40",
			'auth_event_stream_lag_seconds{job="tenant-auth",instance="b"}': "0+60x40",
		},
		alerts: ["TenantAuthEventStreamLate"],
	},
	"the log collector rejects events": {
		series: {
			'auth_event_stream_events_total{job="tenant-auth",instance="a",outcome="rejected"}':
				"0x20 5x20",
			'auth_event_stream_lag_seconds{job="tenant-auth",instance="a"}': "5x40",
		},
		alerts: ["TenantAuthEventsRejected"],
	},
	"a SAML certificate ends soon": {
		series: {
			'auth_saml_tenants{job="tenant-auth",instance="a",state="ok"}': "3x40",
			'auth_saml_tenants{job="tenant-auth",instance="a",state="expiring"}': "1x40",
			'auth_saml_tenants{job="tenant-auth",instance="b",state="expiring"}': "1x40",
		},
		alerts: ["TenantAuthSamlCertificates"],
	},
	"somebody tries passwords": {
		series: {
			'auth_sign_ins_total{job="tenant-auth",instance="a",outcome="ok"}': "0+6x40",
			'auth_sign_ins_total{job="tenant-auth",instance="a",outcome="failed"}': "0+600x40",
		},
		alerts: ["TenantAuthSignInsFail"],
	},
	"the SMTP server is away": {
		series: {
			'auth_mails_total{job="tenant-auth",instance="a",outcome="failed"}': "0+1x40",
			'auth_mails_total{job="tenant-auth",instance="a",outcome="retried"}': "0+4x40",
		},
		alerts: ["TenantAuthEmailsDelayed", "TenantAuthEmailsFail"],
	},
	"there is too much load": {
		series: {
			'http_requests_refused_total{job="tenant-auth",instance="a",status="503"}': "0+30x40",
			'http_requests_refused_total{job="tenant-auth",instance="a",status="429"}': "0+300x40",
			'nodejs_eventloop_lag_p99_seconds{job="tenant-auth",instance="a"}': "0.4x40",
			'http_request_duration_seconds_bucket{job="tenant-auth",instance="a",route="/api/auth/get-session",le="2.5"}':
				"0+10x40",
			'http_request_duration_seconds_bucket{job="tenant-auth",instance="a",route="/api/auth/get-session",le="5"}':
				"0+600x40",
			'http_request_duration_seconds_bucket{job="tenant-auth",instance="a",route="/api/auth/get-session",le="+Inf"}':
				"0+600x40",
		},
		alerts: [
			"TenantAuthEventLoopLate",
			"TenantAuthFlood",
			"TenantAuthOverloaded",
			"TenantAuthSlow",
		],
	},
	"a server restarts again and again": {
		series: {
			'process_start_time_seconds{job="tenant-auth",instance="a"}': "1+60x40",
			'process_resident_memory_bytes{job="tenant-auth",instance="a"}': "900000000x40",
			'process_open_fds{job="tenant-auth",instance="a"}': "900x40",
			'process_max_fds{job="tenant-auth",instance="a"}': "1024x40",
		},
		alerts: ["TenantAuthFileDescriptors", "TenantAuthMemory", "TenantAuthRestarts"],
	},
};

describe.skipIf(!services.promtool)("the alerts of Prometheus", () => {
	test("are valid", () => {
		const { status, output } = promtool("check", "rules", deployFile("prometheus/alerts.yaml"));
		expect(status, output).toBe(0);
	});

	test.each(Object.entries(situations))("when %s", (_situation, { series, alerts }) => {
		const path = join(temporaryDirectory(), "metrics.yaml");
		const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
		// `ALERTS` is the metric in which Prometheus keeps alerts.
		const firing = {
			expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
			eval_time: "30m",
			exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
		};
		writeFileSync(
			path,
			stringify({
				rule_files: [deployFile("prometheus/alerts.yaml")],
				evaluation_interval: "1m",
				tests: [{ interval: "1m", input_series: input, promql_expr_test: [firing] }],
			}),
		);
		const { status, output } = promtool("test", "rules", path);
		expect(status, output).toBe(0);
	});
});
