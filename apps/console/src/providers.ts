import {
	siApple,
	siAtlassian,
	siCloudflare,
	siDiscord,
	siDropbox,
	siFacebook,
	siGithub,
	siGitlab,
	siHuggingface,
	siKick,
	siLine,
	siLinear,
	siNaver,
	siNotion,
	siPaypal,
	siRailway,
	siReddit,
	siRoblox,
	siSpotify,
	siTiktok,
	siTwitch,
	siVercel,
	siVk,
	siWechat,
	siX,
} from "simple-icons";

export type Provider = {
	name: string;
	/** An SVG path on 24 × 24. Missing if `ui/color-marks.tsx` has the mark, or if nobody may use it. */
	iconPath?: string;
	/** `#rrggbb`, the color of the brand. */
	color?: string;
};

const withIcon = (name: string, { path, hex }: { path: string; hex: string }): Provider => ({
	name,
	iconPath: path,
	color: `#${hex}`,
});

/** Better Auth's built-in providers. */
export const PROVIDERS: Record<string, Provider> = {
	apple: withIcon("Apple", siApple),
	atlassian: withIcon("Atlassian", siAtlassian),
	cloudflare: withIcon("Cloudflare", siCloudflare),
	cognito: { name: "Amazon Cognito", color: "#dd344c" },
	discord: withIcon("Discord", siDiscord),
	dropbox: withIcon("Dropbox", siDropbox),
	facebook: withIcon("Facebook", siFacebook),
	figma: { name: "Figma" },
	github: withIcon("GitHub", siGithub),
	gitlab: withIcon("GitLab", siGitlab),
	google: { name: "Google" },
	huggingface: withIcon("Hugging Face", siHuggingface),
	kakao: { name: "Kakao", color: "#ffcd00" },
	kick: withIcon("Kick", siKick),
	line: withIcon("LINE", siLine),
	linear: withIcon("Linear", siLinear),
	linkedin: { name: "LinkedIn" },
	microsoft: { name: "Microsoft" },
	naver: withIcon("Naver", siNaver),
	notion: withIcon("Notion", siNotion),
	paybin: { name: "Paybin" },
	paypal: withIcon("PayPal", siPaypal),
	polar: { name: "Polar" },
	railway: withIcon("Railway", siRailway),
	reddit: withIcon("Reddit", siReddit),
	roblox: withIcon("Roblox", siRoblox),
	salesforce: { name: "Salesforce", color: "#00a1e0" },
	slack: { name: "Slack" },
	spotify: withIcon("Spotify", siSpotify),
	tiktok: withIcon("TikTok", siTiktok),
	twitch: withIcon("Twitch", siTwitch),
	twitter: withIcon("X", siX),
	vercel: withIcon("Vercel", siVercel),
	vk: withIcon("VK", siVk),
	wechat: withIcon("WeChat", siWechat),
	zoom: { name: "Zoom", color: "#0b5cff" },
};

/** A provider that we do not know is shown by its id. */
export const providerOf = (id: string): Provider =>
	Object.hasOwn(PROVIDERS, id) ? (PROVIDERS[id] as Provider) : { name: id.replace(/^oidc:/, "") };
