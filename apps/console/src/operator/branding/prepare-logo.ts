/** What the service accepts. */
const MAX_BYTES = 256 * 1024;
const MAX_PIXELS = 2048;
const STORED_TYPES = ["image/png", "image/jpeg", "image/webp"];

/** What a person can choose. An SVG is drawn here, because the service stores no file that can run code. */
export const CHOSEN_TYPES = [...STORED_TYPES, "image/svg+xml"];

const MAX_CHOSEN_BYTES = 20 * 1024 * 1024;
/** Pages and emails show a logo at 48 pixels at most. This is enough for every screen. */
const DRAWN_HEIGHT = 256;
const DRAWN_WIDTH = 1024;

/**
 * An image as a `data:` URL that the service accepts. What is too large is drawn again in a smaller size.
 *
 * @throws Error with a sentence for the user
 */
export async function prepareLogo(file: File): Promise<string> {
	if (!CHOSEN_TYPES.includes(file.type)) throw new Error("Choose a PNG, JPEG, WebP or SVG image.");
	if (file.size > MAX_CHOSEN_BYTES) throw new Error("This file has more than 20 MB.");
	const url = await readAsDataUrl(file);
	const image = await loadImage(url);
	const { naturalWidth: width, naturalHeight: height } = image;
	const isSmall = file.size <= MAX_BYTES && Math.max(width, height) <= MAX_PIXELS;
	if (isSmall && STORED_TYPES.includes(file.type)) return url;
	return drawSmaller(image, file.type === "image/svg+xml");
}

/** The Base64 part of a `data:` URL. */
export const base64Of = (dataUrl: string): string => dataUrl.slice(dataUrl.indexOf(",") + 1);

const readAsDataUrl = (file: File): Promise<string> =>
	new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(new Error("This file could not be read."));
		reader.readAsDataURL(file);
	});

async function loadImage(url: string): Promise<HTMLImageElement> {
	const image = new Image();
	image.src = url;
	await image.decode().catch(() => {
		throw new Error("This file is not an image that the browser can show.");
	});
	return image;
}

function drawSmaller(image: HTMLImageElement, isVector: boolean): string {
	// Some browsers give an SVG without a size no size.
	const width = image.naturalWidth || DRAWN_HEIGHT;
	const height = image.naturalHeight || DRAWN_HEIGHT;
	const fitting = Math.min(DRAWN_HEIGHT / height, DRAWN_WIDTH / width);
	let scale = isVector ? fitting : Math.min(1, fitting);
	for (let attempt = 0; attempt < 4; attempt++) {
		const url = draw(image, Math.ceil(width * scale), Math.ceil(height * scale));
		if (base64Of(url).length * 0.75 <= MAX_BYTES) return url;
		scale /= 2;
	}
	throw new Error("This image is too large, even in a small size.");
}

function draw(image: HTMLImageElement, width: number, height: number): string {
	const canvas = document.createElement("canvas");
	canvas.width = width;
	canvas.height = height;
	canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
	return canvas.toDataURL("image/png");
}
