import {
	siApple,
	siAtlassian,
	siCloudflare,
	siDiscord,
	siDropbox,
	siFacebook,
	siFigma,
	siGithub,
	siGitlab,
	siGoogle,
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
	/** An SVG path on 24 × 24. Missing if the owner forbids its use or if it is too small to read. */
	iconPath?: string;
};

const withIcon = (name: string, { path }: { path: string }): Provider => ({ name, iconPath: path });

/** Better Auth's built-in providers. */
export const PROVIDERS: Record<string, Provider> = {
	apple: withIcon("Apple", siApple),
	atlassian: withIcon("Atlassian", siAtlassian),
	cloudflare: withIcon("Cloudflare", siCloudflare),
	cognito: { name: "Amazon Cognito" },
	discord: withIcon("Discord", siDiscord),
	dropbox: withIcon("Dropbox", siDropbox),
	facebook: withIcon("Facebook", siFacebook),
	figma: withIcon("Figma", siFigma),
	github: withIcon("GitHub", siGithub),
	gitlab: withIcon("GitLab", siGitlab),
	google: withIcon("Google", siGoogle),
	huggingface: withIcon("Hugging Face", siHuggingface),
	kakao: { name: "Kakao" },
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
	salesforce: { name: "Salesforce" },
	slack: { name: "Slack" },
	spotify: withIcon("Spotify", siSpotify),
	tiktok: withIcon("TikTok", siTiktok),
	twitch: withIcon("Twitch", siTwitch),
	twitter: withIcon("X", siX),
	vercel: withIcon("Vercel", siVercel),
	vk: withIcon("VK", siVk),
	wechat: withIcon("WeChat", siWechat),
	zoom: { name: "Zoom" },
};

/** A provider that we do not know is shown by its id. */
export const providerOf = (id: string): Provider =>
	Object.hasOwn(PROVIDERS, id) ? (PROVIDERS[id] as Provider) : { name: id };
