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
	/** The outline of its mark on 24 × 24: not where its owner forbids it, or where it is a word too small to read. */
	path?: string;
};

const marked = (name: string, { path }: { path: string }): Provider => ({ name, path });

/** Better Auth's built-in providers. */
export const providers: Record<string, Provider> = {
	apple: marked("Apple", siApple),
	atlassian: marked("Atlassian", siAtlassian),
	cloudflare: marked("Cloudflare", siCloudflare),
	cognito: { name: "Amazon Cognito" },
	discord: marked("Discord", siDiscord),
	dropbox: marked("Dropbox", siDropbox),
	facebook: marked("Facebook", siFacebook),
	figma: marked("Figma", siFigma),
	github: marked("GitHub", siGithub),
	gitlab: marked("GitLab", siGitlab),
	google: marked("Google", siGoogle),
	huggingface: marked("Hugging Face", siHuggingface),
	kakao: { name: "Kakao" },
	kick: marked("Kick", siKick),
	line: marked("LINE", siLine),
	linear: marked("Linear", siLinear),
	linkedin: { name: "LinkedIn" },
	microsoft: { name: "Microsoft" },
	naver: marked("Naver", siNaver),
	notion: marked("Notion", siNotion),
	paybin: { name: "Paybin" },
	paypal: marked("PayPal", siPaypal),
	polar: { name: "Polar" },
	railway: marked("Railway", siRailway),
	reddit: marked("Reddit", siReddit),
	roblox: marked("Roblox", siRoblox),
	salesforce: { name: "Salesforce" },
	slack: { name: "Slack" },
	spotify: marked("Spotify", siSpotify),
	tiktok: marked("TikTok", siTiktok),
	twitch: marked("Twitch", siTwitch),
	twitter: marked("X", siX),
	vercel: marked("Vercel", siVercel),
	vk: marked("VK", siVk),
	wechat: marked("WeChat", siWechat),
	zoom: { name: "Zoom" },
};

/** A provider that this page does not know goes by its id. */
export const providerOf = (id: string): Provider =>
	Object.hasOwn(providers, id) ? (providers[id] as Provider) : { name: id };
