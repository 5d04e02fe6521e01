export type Provider = {
	name: string;
	/** `#rrggbb`, the color of the brand. */
	color?: string;
};

/** Better Auth's built-in providers. */
export const PROVIDERS: Record<string, Provider> = {
	apple: { name: "Apple", color: "#000000" },
	atlassian: { name: "Atlassian", color: "#0052cc" },
	cloudflare: { name: "Cloudflare", color: "#f38020" },
	cognito: { name: "Amazon Cognito", color: "#dd344c" },
	discord: { name: "Discord", color: "#5865f2" },
	dropbox: { name: "Dropbox", color: "#0061ff" },
	facebook: { name: "Facebook", color: "#0866ff" },
	figma: { name: "Figma" },
	github: { name: "GitHub", color: "#181717" },
	gitlab: { name: "GitLab", color: "#fc6d26" },
	google: { name: "Google" },
	huggingface: { name: "Hugging Face", color: "#ffd21e" },
	kakao: { name: "Kakao", color: "#ffcd00" },
	kick: { name: "Kick", color: "#53fc19" },
	line: { name: "LINE", color: "#00c300" },
	linear: { name: "Linear", color: "#5e6ad2" },
	linkedin: { name: "LinkedIn" },
	microsoft: { name: "Microsoft" },
	naver: { name: "Naver", color: "#03c75a" },
	notion: { name: "Notion", color: "#000000" },
	paybin: { name: "Paybin" },
	paypal: { name: "PayPal", color: "#002991" },
	polar: { name: "Polar" },
	railway: { name: "Railway", color: "#0b0d0e" },
	reddit: { name: "Reddit", color: "#ff4500" },
	roblox: { name: "Roblox", color: "#000000" },
	salesforce: { name: "Salesforce", color: "#00a1e0" },
	slack: { name: "Slack" },
	spotify: { name: "Spotify", color: "#1ed760" },
	tiktok: { name: "TikTok", color: "#000000" },
	twitch: { name: "Twitch", color: "#9146ff" },
	twitter: { name: "X", color: "#000000" },
	vercel: { name: "Vercel", color: "#000000" },
	vk: { name: "VK", color: "#0077ff" },
	wechat: { name: "WeChat", color: "#07c160" },
	zoom: { name: "Zoom", color: "#0b5cff" },
};

/** A provider that we do not know is shown by its id. */
export const providerOf = (id: string): Provider =>
	Object.hasOwn(PROVIDERS, id) ? (PROVIDERS[id] as Provider) : { name: id.replace(/^oidc:/, "") };
