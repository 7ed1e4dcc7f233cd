//go:build darwin && (desktop || bindings)

#import <Cocoa/Cocoa.h>

// hearth_badge puts a text on the icon in the Dock; "" is none. It may be called from any thread.
void hearth_badge(const char *text) {
	NSString *label = text[0] == '\0' ? nil : [[NSString alloc] initWithUTF8String:text];
	dispatch_async(dispatch_get_main_queue(), ^{
		[[NSApp dockTile] setBadgeLabel:label];
		[label release];
	});
}
