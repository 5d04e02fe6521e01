import {
	type ReactNode,
	type RefObject,
	useEffect,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { createPortal } from "react-dom";
import { applyAccent } from "../../design/accent";
import designStyles from "../../design/index.css?url";
import tenantStyles from "../../sign-in/sign-in.css?url";
import { PreviewTheme } from "../../ui/theme";

export type Device = "desktop" | "phone";
export type Theme = "light" | "dark";

const SIZES: Record<Device, { width: number; height: number }> = {
	desktop: { width: 1024, height: 720 },
	phone: { width: 390, height: 760 },
};

/** Only the styles of the tenant's pages. `inert`: nothing in it can be clicked or focused. */
const EMPTY_PAGE = `<!doctype html>
<html lang="en">
<head><link rel="stylesheet" href="${designStyles}"><link rel="stylesheet" href="${tenantStyles}"></head>
<body inert></body>
</html>`;

type PageFrameProps = {
	title: string;
	device: Device;
	theme: Theme;
	accent: string | undefined;
	children: ReactNode;
};

/**
 * Shows a page of a tenant in a frame with the width of a device, scaled to the space there is. The page
 * is rendered by this one: the policy of our pages forbids frames.
 */
export function PageFrame({ title, device, theme, accent, children }: PageFrameProps) {
	const [body, setBody] = useState<HTMLElement>();
	const box = useRef<HTMLDivElement>(null);
	const available = useWidth(box);
	const { width, height: minHeight } = SIZES[device];
	const height = useContentHeight(body, minHeight);
	const scale = Math.min(1, available / width);
	useLayoutEffect(() => {
		const root = body?.ownerDocument.documentElement;
		if (!root) return;
		root.dataset.theme = theme;
		applyAccent(accent, root);
	}, [body, theme, accent]);
	return (
		<div ref={box} className="page-frame" style={{ height: height * scale }}>
			<iframe
				title={title}
				srcDoc={EMPTY_PAGE}
				style={{
					width,
					height,
					transform: `scale(${scale})`,
					marginInline: marginOf(available, width, scale),
				}}
				onLoad={({ currentTarget }) => setBody(currentTarget.contentDocument?.body)}
			/>
			{body && createPortal(<PreviewTheme value={theme}>{children}</PreviewTheme>, body)}
		</div>
	);
}

/** Centers a page that is narrower than the space. */
const marginOf = (available: number, width: number, scale: number) =>
	Math.max(0, (available - width * scale) / 2);

function useWidth(box: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	useEffect(() => {
		if (!box.current) return;
		const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
		observer.observe(box.current);
		return () => observer.disconnect();
	}, [box]);
	return width;
}

/** The height of the page in the frame, which has no scroll bar. */
function useContentHeight(body: HTMLElement | undefined, minHeight: number): number {
	const [height, setHeight] = useState(minHeight);
	useEffect(() => {
		if (!body) return;
		const measure = () => {
			const bottoms = [...body.querySelectorAll("footer, main")].map(
				(element) => element.getBoundingClientRect().bottom,
			);
			setHeight(Math.ceil(Math.max(minHeight, ...bottoms.map((bottom) => bottom + MARGIN))));
		};
		const observer = new MutationObserver(measure);
		observer.observe(body, { childList: true, subtree: true, characterData: true });
		// An image that has loaded.
		body.addEventListener("load", measure, true);
		measure();
		return () => {
			observer.disconnect();
			body.removeEventListener("load", measure, true);
		};
	}, [body, minHeight]);
	return height;
}

const MARGIN = 48;
