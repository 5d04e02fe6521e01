const JOBS: Record<string, { title: string; setting: string }> = {
	"clean-up": { title: "Clean-up", setting: "CLEAN_UP_INTERVAL_HOURS" },
	"domain-check": { title: "DNS records of domains", setting: "DOMAIN_CHECK_INTERVAL_HOURS" },
	"saml-metadata": {
		title: "Metadata of SAML identity providers",
		setting: "SAML_METADATA_INTERVAL_HOURS",
	},
	webhooks: { title: "Events for webhooks", setting: "WEBHOOK_INTERVAL_SECONDS" },
	"logout-tokens": {
		title: "Sign-outs for applications",
		setting: "WEBHOOK_INTERVAL_SECONDS",
	},
	"event-stream": {
		title: "Events for the log collector",
		setting: "EVENT_STREAM_INTERVAL_SECONDS",
	},
};

/** What a job does, in words. */
export const titleOfJob = (name: string): string => JOBS[name]?.title ?? name;

/** The setting that says how often it runs. */
export const settingOfJob = (name: string): string | undefined => JOBS[name]?.setting;
